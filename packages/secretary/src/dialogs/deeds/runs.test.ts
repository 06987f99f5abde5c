import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { failureText } from '@secretary-mcp/transcripts/deeds/runs/printed-outcome.ts'
import { ProjectTasks, resolveTasks } from '@secretary-mcp/transcripts/deeds/runs/project-tasks.ts'
import { kindOfName } from '@secretary-mcp/transcripts/deeds/runs/run-kind.ts'
import { runsIn, settleRuns } from '@secretary-mcp/transcripts/deeds/runs/runs.ts'
import { invocationsIn } from '@secretary-mcp/transcripts/deeds/shell/invocations.ts'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import type { StoredDeed } from './deed-store.ts'

function ended(command: string, output = '', exit: number | null = 0): string[] {
  const runs = settleRuns(runsIn(invocationsIn(command)), {
    ...(exit === null ? {} : { exit }),
    output,
  })
  return runs.map((run) => `${run.kind} ${run.outcome ?? 'unknown'} (${run.command})`)
}

const GO_FAILED =
  '--- FAIL: TestX (0.00s)\n    x_test.go:5: no\nFAIL\nFAIL\texample.com/x\t0.003s\nFAIL'
const GO_JSON = (action: string) =>
  `{"Time":"t","Action":"${action}","Package":"x","Test":"TestA","Elapsed":0}\n{"Time":"t","Action":"${action}","Package":"x","Elapsed":0.1}`
const GO_PASSED = 'ok  \texample.com/x\t0.003s\nok  \texample.com/y\t(cached)'

describe('the outcome of a run', () => {
  it.each([
    ['go test ./...', GO_FAILED, 1, ['test failed (go test ./...)']],
    ['go test ./... 2>&1 | tail -40', GO_FAILED, 0, ['test failed (go test ./...)']],
    ['go test ./... 2>&1 | tail -40', GO_PASSED, 0, ['test passed (go test ./...)']],
    ['go test ./... | grep -A 20 FAIL', '', 1, ['test unknown (go test ./...)']],
    ['go test ./... | grep -A 20 FAIL', GO_FAILED, 0, ['test failed (go test ./...)']],
    ['go test ./... | grep ok', GO_PASSED, 0, ['test unknown (go test ./...)']],
    ['go test ./... | grep -E "^(ok|FAIL)"', GO_PASSED, 0, ['test passed (go test ./...)']],
    ['go test ./... | grep -v "no test files"', GO_PASSED, 0, ['test passed (go test ./...)']],
    ['go test ./... | head -2', GO_PASSED, 0, ['test unknown (go test ./...)']],
    // Fewer lines than asked for: nothing was left out.
    ['go test ./... | head -5', GO_PASSED, 0, ['test passed (go test ./...)']],
    ['go test ./... | grep -E "FAIL|ok" | head -50', GO_PASSED, 0, ['test passed (go test ./...)']],
    ['npx ava | tail -c 500', '  5 tests passed', 0, ['test unknown (npx ava)']],
    ['go test -json ./... | tail -5', GO_JSON('fail'), 0, ['test failed (go test -json ./...)']],
    ['go test -json ./... | tee a', GO_JSON('pass'), 0, ['test passed (go test -json ./...)']],
    ['go test ./...', '?   \ta.com/x\t[no test files]', 0, ['test unknown (go test ./...)']],
    ['go test ./x', 'ok  \tx\t0.1s [no tests to run]', 0, ['test unknown (go test ./x)']],
    ['go test -list . ./x', 'TestA\nok  \tx\t0.1s', 0, ['other passed (go test -list . ./x)']],
    ['cargo test a', 'test result: ok. 0 passed; 0 failed', 0, ['test unknown (cargo test a)']],
    ['pytest -q', 'no tests ran in 0.01s', 5, ['test unknown (pytest -q)']],
    ['node --test | tail', '# pass 5\n# fail 0\n# cancelled 1', 0, ['test failed (node --test)']],
    [
      './vendor/bin/pest | tail',
      '  Tests:    4 passed (9 assertions)',
      0,
      ['test passed (./vendor/bin/pest)'],
    ],
    ['nox -s tests | tail', 'nox > Session tests failed.', 0, ['test failed (nox -s tests)']],
    [
      'bazel test //... | tail',
      'Executed 3 out of 3 tests: 3 tests pass.',
      0,
      ['test passed (bazel test //...)'],
    ],
    [
      'sbt test | tail',
      '[error] Failed: Total 5, Failed 1, Errors 0, Passed 4',
      0,
      ['test failed (sbt test)'],
    ],
    ['curl -s https://a.b/log | tail', GO_PASSED, 0, ['other unknown (curl -s https://a.b/log)']],
    ['npm test | tail; echo $PIPESTATUS', 'x\n1', 0, ['test failed (npm test)']],
    ['npm test; rc=$?; echo "rc=$rc"', 'x\nrc=1', 0, ['test failed (npm test)']],
    ['npm test > a 2>&1 && echo PASS || echo FAIL', 'FAIL', 0, ['test failed (npm test)']],
    ['npm test > a 2>&1 && echo PASS || echo FAIL', 'PASS', 0, ['test passed (npm test)']],
    [
      'make && npm test && echo yes || echo no',
      'no',
      0,
      ['build unknown (make)', 'test unknown (npm test)'],
    ],
    [
      'npm run lint; (npm run lint; npm test); echo $?',
      '1',
      0,
      ['lint unknown (npm run lint)', 'lint unknown (npm run lint)', 'test failed (npm test)'],
    ],
    ['set -o pipefail; npm test | grep FAIL; echo $?', '1', 0, ['test unknown (npm test)']],
    [
      'out=$(npx jest 2>&1); echo "$out" | tail -5',
      'Tests:       5 passed, 5 total',
      0,
      ['test passed (npx jest)'],
    ],
    ['rtk vitest run', 'PASS (12) FAIL (0)\n', 0, ['test passed (rtk vitest run)']],
    ['rtk vitest run | tail -30', 'PASS (12) FAIL (2)\n', 0, ['test failed (rtk vitest run)']],
    // A file that could not be loaded is none of its numbers.
    ['rtk vitest run', 'PASS (12) FAIL (0)\n', 1, ['test unknown (rtk vitest run)']],
    ['rtk vitest run | head', 'PASS (0) FAIL (0)\n', 0, ['test unknown (rtk vitest run)']],
    ['rtk test go test ./... | tail', GO_PASSED, 0, ['test passed (rtk test go test ./...)']],
    ['npm test | Select-Object -Last 20', '  Tests:  5 passed', 0, ['test passed (npm test)']],
    ['go test -c ./x', '', 0, ['build passed (go test -c ./x)']],
    ["go test -run '^$' ./...", GO_PASSED, 0, ["build passed (go test -run '^$' ./...)"]],
    ['mise run test:ci 2>&1 | tail -40', GO_PASSED, 0, ['test passed (mise run test:ci)']],
    [
      'mise run test:ci',
      `[test:ci] $ go test ./...\n[test:ci] ${GO_FAILED.replaceAll('\n', '\n[test:ci] ')}\n[test:ci] ERROR task failed`,
      1,
      ['test failed (mise run test:ci)'],
    ],
    ['mise run lint', '0 issues.', 0, ['lint passed (mise run lint)']],
    ['mise run ci | tail -3', GO_PASSED, 0, ['test passed (mise run ci)']],
    ['(npm test; echo $?)', 'some output\n1', 0, ['test failed (npm test)']],
    ['npm test > log.txt 2>&1; echo "exit: $?"', 'exit: 0', 0, ['test passed (npm test)']],
    [
      'npm test > log.txt 2>&1; tail -5 log.txt',
      ' Tests  5 passed (5)',
      0,
      ['test passed (npm test)'],
    ],
    ['timeout 60 pytest -q || true', '1 failed, 3 passed in 0.12s', 0, ['test failed (pytest -q)']],
    ['timeout 60 pytest -q', '', 124, ['test unknown (pytest -q)']],
    ['pytest --collect-only', '5 tests collected', 0, ['other passed (pytest --collect-only)']],
    ['pytest -q | tail -3', '4 passed, 1 skipped in 0.10s', 0, ['test passed (pytest -q)']],
    [
      'cargo test 2>&1 | tail -5',
      'test result: FAILED. 3 passed; 1 failed; 0 ignored',
      0,
      ['test failed (cargo test)'],
    ],
    ['cargo test --no-run', '', 0, ['build passed (cargo test --no-run)']],
    [
      'vendor/bin/phpunit | tail -4',
      'FAILURES!\nTests: 5, Assertions: 9, Failures: 1.',
      0,
      ['test failed (vendor/bin/phpunit)'],
    ],
    [
      'php artisan test',
      '  Tests:    5 passed (9 assertions)',
      0,
      ['test passed (php artisan test)'],
    ],
    [
      'bundle exec rspec | tail -2',
      '12 examples, 0 failures',
      0,
      ['test passed (bundle exec rspec)'],
    ],
    [
      'dotnet test | tail -20',
      'Passed!  - Failed:     0, Passed:     5, Skipped: 0',
      0,
      ['test passed (dotnet test)'],
    ],
    [
      'mvn -q test | tail',
      'Tests run: 5, Failures: 1, Errors: 0, Skipped: 0',
      0,
      ['test failed (mvn -q test)'],
    ],
    // In its own words, what its status says.
    ['./gradlew test | tail -3', 'BUILD SUCCESSFUL in 3s', 0, ['test passed (./gradlew test)']],
    ['.\\gradlew.bat test', '', 0, ['test passed (.\\gradlew.bat test)']],
    ['node --test | tail -8', 'ℹ pass 3\nℹ fail 0', 0, ['test passed (node --test)']],
    ['bun test | tail -3', ' 12 pass\n 1 fail', 0, ['test failed (bun test)']],
    ['bun test | grep pass', ' 12 pass', 0, ['test unknown (bun test)']],
    ['npx mocha | tail -3', '  5 passing (20ms)', 0, ['test passed (npx mocha)']],
    [
      'npx playwright test | tail -1',
      '  5 passed (3.2s)',
      0,
      ['test unknown (npx playwright test)'],
    ],
    [
      'npx jest; npm run lint',
      'Tests:       1 failed, 4 passed, 5 total',
      0,
      ['test failed (npx jest)', 'lint passed (npm run lint)'],
    ],
    ['npm run lint && npm test', '', 0, ['lint passed (npm run lint)', 'test passed (npm test)']],
    ['npm run lint && npm test', '', 1, ['lint unknown (npm run lint)', 'test unknown (npm test)']],
    ['npm test &', '', 0, ['test unknown (npm test)']],
    ['npm test', '', null, ['test unknown (npm test)']],
    [
      'cd missing && npm test',
      'bash: line 1: cd: missing: No such file or directory',
      1,
      ['test unknown (npm test)'],
    ],
    ['git commit -m x', ' 5 pass\n 0 fail\n[main 1a2b3c4] x', 0, ['test passed (git commit)']],
    ['git commit -m x', '[main 1a2b3c4] x', 0, []],
    ['grep -rn test src | head', 'src/a.test.ts: FAIL', 0, []],
    ['git diff', '+--- FAIL: TestX', 0, []],
    ['cat test.log', GO_FAILED, 0, []],
    ['npm run test:types', '', 0, ['lint passed (npm run test:types)']],
  ])('of %j that printed %j and ended with %j is %j', (command, output, exit, expected) => {
    expect(ended(command, output, exit)).toEqual(expected)
  })

  it("of several runs is each one's own", () => {
    expect(
      ended('go test ./a | tail -3; pytest -q | tail -1', `${GO_FAILED}\n3 passed in 0.1s`),
    ).toEqual(['test failed (go test ./a)', 'test passed (pytest -q)'])
    expect(
      ended('pytest a -q | tail -1; pytest b -q | tail -1', '3 passed in 0.1s\n1 failed in 0.1s'),
    ).toEqual(['test passed (pytest a -q)', 'test failed (pytest b -q)'])
  })

  it('is not decided by a pattern that would take for ever', () => {
    expect(ended('go test ./... | grep -E "(.+)+x"', GO_PASSED)).toEqual([
      'test unknown (go test ./...)',
    ])
  })

  it('leaves of a failure the tests that failed and the last lines', () => {
    const noise = Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n')
    const text = failureText(`--- FAIL: TestX (0.00s)\n${noise}\nFAIL`)
    expect(text).toContain('--- FAIL: TestX')
    expect(text.endsWith('line 39\nFAIL')).toBe(true)
    expect(text).not.toContain('line 3\n')
  })
})

describe('the tasks of a project', () => {
  function project(files: Readonly<Record<string, string>>): string {
    const folder = temporaryFolder()
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(folder, name, '..'), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    return folder
  }
  const kinds = (files: Readonly<Record<string, string>>) => {
    const tasks = new ProjectTasks(project(files))
    return Object.fromEntries(
      tasks.list().map((task) => [task.run, [...tasks.kindsOf(task)].sort().join()]),
    )
  }

  it('are read from the files that define them', () => {
    expect(
      kinds({
        'package.json':
          '{"scripts":{"check":"vitest run","ci":"npm run lint && npm run check","lint":"eslint .","test":"echo none && exit 1"}}',
      }),
    ).toEqual({
      'npm run check': 'test',
      'npm run ci': 'lint,test',
      'npm run lint': 'lint',
      'npm test': '',
    })
    expect(
      kinds({
        'mise.toml':
          '[tools]\ngo = "1.24"\n\n[tasks.ci]\ndepends = ["lint", "verify"]\n\n[tasks.verify]\nrun = """\n#!/bin/sh\nFOO=1\ngo test ./...\n"""\n\n[tasks]\nlint = "golangci-lint run"\n"gen:api" = { run = ["go generate ./..."], depends = [] }\n',
      }),
    ).toEqual({
      'mise run ci': 'lint,test',
      'mise run verify': 'test',
      'mise run lint': 'lint',
      'mise run gen:api': 'build',
    })
    expect(
      kinds({
        Makefile:
          'GO = go\n.PHONY: all\nall: check\ncheck: vet ## all of it\n\t@go test ./...\nvet:\n\tgo vet ./...\n',
      }),
    ).toEqual({
      'make all': 'lint,test',
      'make check': 'lint,test',
      'make vet': 'lint',
    })
    expect(
      kinds({
        justfile:
          'set shell := ["bash"]\n\ndefault: verify\n\nverify filter="": \n    cargo test {{filter}}\n',
      }),
    ).toEqual({ 'just default': 'test', 'just verify': 'test' })
    expect(
      kinds({
        'Taskfile.yml':
          "version: '3'\n\ntasks:\n  verify:\n    deps: [gen]\n    cmds:\n      - pytest -q\n  gen:\n    cmd: go generate ./...\n  all:\n    cmds:\n      - task: verify\n",
      }),
    ).toEqual({
      'task verify': 'build,test',
      'task gen': 'build',
      'task all': 'build,test',
    })
    expect(
      kinds({
        'composer.json':
          '{"scripts":{"qa":["@analyse","@unit"],"analyse":"phpstan","unit":"phpunit"}}',
      }),
    ).toEqual({
      'composer qa': 'lint,test',
      'composer analyse': 'lint',
      'composer unit': 'test',
    })
    expect(
      kinds({ 'package.json': '{"scripts":{"test":"turbo run test","lint":"pnpm -r lint"}}' }),
    ).toEqual({ 'npm test': 'test', 'npm run lint': 'lint' })
    expect(new ProjectTasks('/nowhere/at/all').list()).toEqual([])
  })

  it('give a run the kind of what it really runs', () => {
    const folder = project({
      'package.json': '{"scripts":{"verify":"vitest run","ci":"eslint . && vitest run"}}',
    })
    const deed = (run: object, tail?: string) =>
      [{ kind: 'command', runs: [run], ...(tail ? { tail } : {}) }] as unknown as StoredDeed[]
    const resolved = (run: object, tail?: string) =>
      resolveTasks(deed(run, tail), folder)[0]?.runs?.[0]
    const verify = {
      kind: 'other',
      command: 'npm run verify',
      tasks: ['npm:verify'],
      outcome: 'failed',
    }
    expect(resolved(verify)).toMatchObject({ kind: 'test', outcome: 'failed' })
    const ci = { kind: 'other', command: 'npm run ci', tasks: ['npm:ci'], outcome: 'failed' }
    expect(resolved(ci)).toEqual({ kind: 'test', command: 'npm run ci', tasks: ['npm:ci'] })
    expect(resolved(ci, ' Tests  1 failed | 2 passed (3)')).toMatchObject({
      kind: 'test',
      outcome: 'failed',
    })
  })

  it.each([
    ['test:ci', 'test'],
    ['e2e', 'test'],
    ['test:unit:watch', 'test'],
    ['lint:test', 'lint'],
    ['test:types', 'lint'],
    ['build:test', 'build'],
    ['generate-test-data', 'other'],
    ['check', 'other'],
    ['typecheck', 'lint'],
    ['dev', 'other'],
  ])('that are called %j are of the kind %j where nothing defines them', (name, kind) => {
    expect(kindOfName(name)).toBe(kind)
  })
})
