import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { invocationsIn } from './invocations.ts'
import { type Meter, parseShell } from './parse-shell.ts'

const programs = (command: string) => invocationsIn(command).map(({ text }) => text)
const proofOf = (command: string, program: string) => {
  const found = invocationsIn(command).find((one) => one.program === program)
  return [found?.proof.zero, found?.proof.other]
}

describe('a command line', () => {
  it.each([
    ['mise run test:ci 2>&1 | tail -40', ['mise run test:ci', 'tail -40']],
    ['cd x && go test ./... > out.txt', ['cd x', 'go test ./...']],
    ['(npm test; echo $?)', ['npm test', 'echo $?']],
    ['CI=1 timeout 60 npx vitest run', ['npx vitest run']],
    ['bash -lc "cd a && npm test"', ['cd a', 'npm test']],
    ['time nohup go test ./... &', ['go test ./...']],
    ['for f in a b; do go test ./$f; done', ['go test ./$f']],
    ['if npm test; then echo ok; fi', ['npm test', 'echo ok']],
    ['uv run --with x pytest -q', ['uv run --with x pytest -q']],
    ['docker compose exec -T api pytest', ['docker compose exec -T api pytest']],
    ['npm test # and more', ['npm test']],
    ['npm \\\n  test', ['npm test']],
    ['x=$(npm test)', ['npm test']],
    ['echo "it\'s; fine" && ls', ['echo "it\'s; fine"', 'ls']],
    ['cd C:\\a\\b && npm test', ['cd C:\\a\\b', 'npm test']],
    ['if ($?) { npm test }', ['$?', 'npm test']],
    ['cat <<EOF\nnpm test\nEOF\nls', ['cat', 'ls']],
  ])('%j runs %j', (command, expected) => {
    expect(programs(command)).toEqual(expected)
  })

  it.each([
    ['npm test', ['passed', 'failed']],
    ['cd x && npm test', ['passed', 'failed']],
    ['make && npm test', ['passed', undefined]],
    ['npm test && git push', ['passed', undefined]],
    ['npm test | tail', [undefined, undefined]],
    ['set -o pipefail; npm test | tail', ['passed', 'failed']],
    ['npm test || true', [undefined, 'failed']],
    ['npm test || exit 1', ['passed', 'failed']],
    ['npm test; ls', [undefined, undefined]],
    ['set -e; npm test; ls', ['passed', undefined]],
    ['set -e; make && npm test; ls', [undefined, undefined]],
    ['set -e; set +e; npm test; ls', [undefined, undefined]],
    ['(set -o pipefail; ls | wc); npm test | tail', [undefined, undefined]],
    ['set -o pipefail; npm test | grep x', ['passed', undefined]],
    ['bash -euo pipefail -c "npm test | tail"', ['passed', 'failed']],
    ['bash -c "set -e; ls"; npm test; ls', [undefined, undefined]],
    ['bash <<EOF\nnpm test\nEOF', ['passed', 'failed']],
    ['npm test; code=$?; ls; exit $code', ['passed', 'failed']],
    ['npm test | tail; exit $PIPESTATUS', ['passed', 'failed']],
    ['out=$(npm test)', ['passed', 'failed']],
    ['echo "$(npm test)"', [undefined, undefined]],
    ['npm test &', [undefined, undefined]],
    ['! npm test', ['failed', 'passed']],
    ['(cd x; npm test)', ['passed', 'failed']],
    ['for x in a b; do npm test; done', [undefined, undefined]],
    ['npm test && echo good || echo bad', [undefined, undefined]],
  ])('%j proves %j about its tests by a status of zero and by another', (command, expected) => {
    expect(proofOf(command, 'npm')).toEqual(expected)
  })

  it('takes arithmetic for no program, and two subshells for what they run', () => {
    const programs = (command: string) => invocationsIn(command).map(({ program }) => program)
    expect(programs('END=$(date +%s) && echo "$(( END - 17 )) s"')).toEqual(['date', 'echo'])
    expect(programs('((n = (2 + n) * 3)) && npm test')).toEqual(['npm'])
    expect(programs('((npm test); (ls))')).toEqual(['npm', 'ls'])
    expect(proofOf('npm test; ((n++))', 'npm')).toEqual([undefined, undefined])
  })

  it('has the folder of each program, and none behind a variable', () => {
    const folders = (command: string) => invocationsIn(command).map(({ folder }) => folder)
    expect(folders('cd a && cd b && ls')).toEqual(['', 'a', 'a/b'])
    expect(folders('(cd a && ls); ls')).toEqual(['', 'a', ''])
    expect(folders('cd "$DIR" && ls')).toEqual(['', undefined])
    expect(folders('cd /tmp/x && ls')).toEqual(['', '/tmp/x'])
  })

  it('gives a message from a here-document its text', () => {
    const [, commit] = invocationsIn(
      `git add -A && git commit -m "$(cat <<'EOF'\nfeat: a (b) 'c'\n\nWhy.\nEOF\n)" && git push`,
    ).filter(({ program }) => program === 'git')
    expect(commit?.args).toEqual(['commit', '-m', "feat: a (b) 'c'\n\nWhy."])
  })

  it('is read whatever it is', () => {
    const signs = fc.constantFrom(
      ...[
        'a',
        'if',
        'then',
        'fi',
        'for',
        'in',
        'do',
        'done',
        'case',
        'esac',
        '{',
        '}',
        '(',
        ')',
        '$(',
        '${',
        '`',
        '"',
        "'",
        '\\',
        '\n',
      ],
      ...[
        '|',
        '||',
        '&',
        '&&',
        ';',
        ';;',
        '<',
        '>',
        '<<',
        '<<EOF',
        'EOF',
        '2>&1',
        '#',
        ' ',
        '$',
        '!',
        '=',
        'cd',
        'bash -c',
        'timeout 5',
      ],
    )
    const commands = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(signs, { maxLength: 60 }).map((parts) => parts.join(' ')),
      fc.array(signs, { maxLength: 60 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(commands, (command) => {
        expect(Array.isArray(invocationsIn(command))).toBe(true)
      }),
      { numRuns: 1500 },
    )
  })

  it.each([
    '(',
    '$(',
    '`a',
    '"',
    "'",
    '${',
    '<<A\n',
    'a|',
    'a&&',
    '{ ',
    'if ',
    'case x in ',
    '"$(',
    "bash -c '",
    '\\\n',
    'x=(',
    ';',
    '<(',
    '$((',
    '((',
    '((a)',
    '# \n',
    'cd a;',
  ])('of many %j takes steps that grow with its length and no faster', (part) => {
    const steps = (count: number) => {
      const meter: Meter = { steps: 0 }
      parseShell(part.repeat(count), meter)
      return meter.steps
    }
    expect(steps(4000)).toBeLessThan(8 * (steps(1000) + 1000))
  })
})
