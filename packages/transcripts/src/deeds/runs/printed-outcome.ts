import type { RunOutcome } from '../deed.ts'

/** A line in which a program says how it ended. */
export interface Printed {
  readonly about: 'test' | 'lint' | 'build' | 'tool'
  readonly runner: string
  /** `empty` if no test was found. */
  readonly outcome: RunOutcome | 'empty'
  /** It speaks for a part of the run only: that all went well is proven if no failure can have been left out. */
  readonly isPartial: boolean
}

interface Sign {
  readonly about: Printed['about']
  readonly runner: string
  readonly outcome: Printed['outcome']
  readonly isPartial?: boolean
  readonly pattern: RegExp
}

const failed = (runner: string, pattern: RegExp, about: Printed['about'] = 'test'): Sign => ({
  about,
  runner,
  outcome: 'failed',
  pattern,
})
const passed = (runner: string, pattern: RegExp, about: Printed['about'] = 'test'): Sign => ({
  about,
  runner,
  outcome: 'passed',
  pattern,
})
const partly = (runner: string, pattern: RegExp, about: Printed['about'] = 'test'): Sign => ({
  ...passed(runner, pattern, about),
  isPartial: true,
})

const empty = (runner: string, pattern: RegExp): Sign => ({
  about: 'test',
  runner,
  outcome: 'empty',
  pattern,
})

/** The first that fits a line counts; failures stand before successes. */
const SIGNS: readonly Sign[] = [
  failed('go', /^\s*--- FAIL: /),
  failed('go', /^\{.{0,300}"Action":"(fail|build-fail)"/),
  partly('go', /^\{(?!.{0,300}"Test":).{0,300}"Action":"pass"/),
  empty('go', /^(\?\s+\S+\s+\[no test files\]|ok\s.*\[no tests to run\])/),
  failed('go', /^FAIL(\s*$|\s+\S+\s+(\[(build|setup) failed\]|[\d.]+s))/),
  failed('go', /^DONE \d+ (tests?|runs?),.*\b[1-9]\d* (failures?|errors?)\b/),
  partly('go', /^ok\s+\S+\s+([\d.]+s|\(cached\))(?!.*\[no tests to run\])/),
  partly('go', /^PASS$/),
  passed('go', /^DONE [1-9]\d* (tests?|runs?)\b/),
  failed('go', /^Ran \d+ of \d+ Specs.*\bFAIL|^FAIL! -- /),
  passed('go', /^SUCCESS! -- [1-9]\d* Passed/),

  failed('pytest', /^=+ .*\b[1-9]\d* (failed|errors?)\b.* =+$/),
  failed('pytest', /^(\d+ \w+, )*[1-9]\d* (failed|errors?)\b(, \d+ \w+)* in [\d.]+s/),
  failed('pytest', /^(FAILED|ERROR) \S+\.py(::| - |$)/),
  failed('pytest', /^!+ Interrupted: [1-9]\d* errors? during collection !+$/),
  passed('pytest', /^=+ .{0,200}\b[1-9]\d* passed\b.{0,200} in [\d.]+s.{0,200}=+$/),
  passed('pytest', /^(\d+ \w+, )*[1-9]\d* passed(, \d+ \w+)* in [\d.]+s/),
  empty('pytest', /^=*\s*no tests ran in [\d.]+s/),
  failed('unittest', /^FAILED \((failures|errors|unexpected successes)=/),

  failed('jest', /^\s{0,20}(Tests|Test Suites):\s{1,20}(.{0,200}\D)?[1-9]\d* failed\b/),
  failed('jest', /^FAIL\s+\S+\.[cm]?[jt]sx?\b/),
  empty('jest', /^No tests found, exiting with code/),
  passed('jest', /^\s{0,20}Tests:\s{1,20}(.{0,200}\D)?[1-9]\d* passed\b/),
  partly('jest', /^PASS\s+\S+\.[cm]?[jt]sx?\b/),
  failed(
    'vitest',
    /^\s{0,20}(Tests|Test Files|Errors)\s{1,20}(.{0,200}\D)?[1-9]\d* (failed|errors?)\b/,
  ),
  empty('vitest', /^No test files found\b/),
  failed('vitest', /^\s*(FAIL|⎯+ Failed (Tests|Suites) \d+)\s/),
  passed('vitest', /^\s{0,20}Tests\s{1,20}(.{0,200}\D)?[1-9]\d* passed\b/),
  // As `rtk` shortens the summary; without a number it has not understood it.
  failed('vitest', /^PASS \(\d+\) FAIL \([1-9]\d*\)$/),
  empty('vitest', /^PASS \(0\) FAIL \(0\)$/),
  passed('vitest', /^PASS \([1-9]\d*\) FAIL \(0\)$/),

  failed('bun', /^\s*[1-9]\d* (fail|errors?)$/),
  failed('bun', /^\(fail\) /),
  passed('bun', /^\s*0 fail$/),
  partly('bun', /^\s*[1-9]\d* pass$/),
  failed('mocha', /^\s*[1-9]\d* failing\b/),
  partly('mocha', /^\s*[1-9]\d* passing\b/),
  failed('playwright', /^\s*[1-9]\d* failed$/),
  partly('playwright', /^\s*[1-9]\d* passed \([\d.]+m?s?m?\)$/),
  failed('node', /^(#|ℹ) (fail|cancelled) [1-9]/),
  failed('node', /^\s*not ok \d+\b(?!.*# (TODO|SKIP))/i),
  passed('node', /^(#|ℹ) fail 0$/),
  partly('node', /^(#|ℹ) pass [1-9]/),

  failed('cargo', /^test result: FAILED/),
  failed('cargo', /^error: (test failed|\d+ targets? failed)/),
  partly('cargo', /^test result: ok\. [1-9]/),
  empty('cargo', /^test result: ok\. 0 passed/),
  failed('cargo', /^\s*Summary \[.*\b[1-9]\d* (failed|timed out)/),
  passed('cargo', /^\s*Summary \[.*\b[1-9]\d* passed/),
  failed('deno', /^FAILED \| /),
  passed('deno', /^ok \| \d+ passed/),

  failed('phpunit', /^(FAILURES|ERRORS)!$/),
  failed('phpunit', /^Tests: \d+, Assertions: .*\b(Failures|Errors): [1-9]/),
  passed('phpunit', /^OK(, but .*| \(\d+ tests?, .*\))/),
  failed('rspec', /^\d+ (examples?|specs?), .*\b[1-9]\d* (failures?|errors? occurred)/),
  passed('rspec', /^[1-9]\d* (examples?|specs?), 0 failures/),
  failed('exunit', /^(\d+ \w+, )*\d+ tests?, [1-9]\d* failures?/),
  passed('exunit', /^(\d+ \w+, )*[1-9]\d* tests?, 0 failures/),
  failed('minitest', /^\d+ (runs|tests), \d+ assertions, (?!0 failures, 0 errors)\d+ failures/),
  passed('minitest', /^[1-9]\d* (runs|tests), \d+ assertions, 0 failures, 0 errors/),

  failed('junit', /^Tests run: \d+, Failures: (\d+, Errors: [1-9]|[1-9])/),
  partly('junit', /^Tests run: [1-9]\d*, Failures: 0, Errors: 0/),
  failed('gradle', /^\d+ tests? completed, [1-9]\d* failed/),
  failed('gradle', /^> Task \S*[tT]est\S* FAILED$/),
  failed(
    'dotnet',
    /^\s*Failed!\s+-\s+Failed:|^Test Run Failed\.|^Test summary: total: \d+[;,] failed: [1-9]/,
  ),
  partly('dotnet', /^\s*Passed!\s+-\s+Failed:\s+0\b|^Test Run Successful\./),
  passed('dotnet', /^Test summary: total: [1-9]\d*[;,] failed: 0\b/),
  failed('ctest', /^\d+% tests passed, [1-9]\d* tests? failed/),
  passed('ctest', /^100% tests passed, 0 tests failed out of [1-9]/),
  failed('gtest', /^\[ {2}FAILED {2}\] /),
  partly('gtest', /^\[ {2}PASSED {2}\] [1-9]\d* tests?/),
  failed(
    'swift',
    /Executed \d+ tests?, with [1-9]\d* failures?|^\*\* TEST FAILED \*\*|Test run with \d+ tests?.{0,200} failed after/,
  ),
  partly(
    'swift',
    /Executed [1-9]\d* tests?, with 0 failures|Test run with [1-9]\d* tests?.{0,200} passed after/,
  ),
  passed('swift', /^\*\* TEST SUCCEEDED \*\*/),
  failed('flutter', /\bSome tests failed\.$/),
  passed('flutter', /\bAll tests passed!$/),
  failed('ava', /^\s*[1-9]\d* tests? failed$/),
  partly('ava', /^\s*[1-9]\d* tests? passed$/),
  failed('prove', /^Result: FAIL$/),
  passed('prove', /^Result: PASS$/),
  failed('cypress', /^\s*✖\s+\d+ of \d+ failed \(\d+%\)/),
  passed('cypress', /^\s*✔\s+All specs passed!/),
  failed('karma', /Executed \d+ of \d+ .{0,200}\([1-9]\d* FAILED\)/),
  passed('karma', /Executed (\d+) of \1 .{0,200}SUCCESS/),
  failed('busted', /^\d+ successes? \/ (?!0 failures? \/ 0 errors?)\d+ failures?/),
  passed('busted', /^[1-9]\d* successes? \/ 0 failures? \/ 0 errors?/),
  passed('zig', /^All [1-9]\d* tests passed\.$/),
  failed('clojure', /^(?!0 failures, 0 errors)\d+ failures, \d+ errors\.$/),
  passed('clojure', /^0 failures, 0 errors\.$/),
  failed('forge', /^Suite result: FAILED/),
  partly('forge', /^Suite result: ok/),
  failed('bazel', /^Executed \d+ out of \d+ tests?: .{0,200}\b[1-9]\d* fails?\b/),
  passed('bazel', /^Executed \d+ out of [1-9]\d* tests?: [1-9]\d* tests? pass(es)?\.$/),
  failed('sbt', /^(Failed|Error): Total \d+, Failed \d+, Errors \d+/),
  passed('sbt', /^Passed: Total [1-9]\d*, Failed 0, Errors 0\b/),
  failed('nox', /^nox > Session \S+ failed\.$/),
  partly('nox', /^nox > Session \S+ was successful\.$/),
  failed('tox', /^\s*evaluation failed :\(/),
  passed('tox', /^\s*congratulations :\)/),

  failed('eslint', /^✖ \d+ problems? \([1-9]\d* errors?/, 'lint'),
  passed('eslint', /^✖ \d+ problems? \(0 errors/, 'lint'),
  failed('biome', /^Found [1-9]\d* (errors?|diagnostics?)\b/, 'lint'),
  passed('ruff', /^All checks passed!$/, 'lint'),
  passed('mypy', /^Success: no issues found/, 'lint'),
  failed('tsc', /\berror TS\d+: /, 'lint'),
  failed('golangci-lint', /^[1-9]\d* issues?[:.]/, 'lint'),
  passed('golangci-lint', /^0 issues\./, 'lint'),
  failed('rubocop', /\b[1-9]\d{0,9} offenses? detected/, 'lint'),
  passed('rubocop', /\bno offenses detected/, 'lint'),
  failed('phpstan', /^\s*\[ERROR\] Found [1-9]/, 'lint'),
  passed('phpstan', /^\s*\[OK\] No errors/, 'lint'),
  failed('pyright', /^[1-9]\d* errors?, \d+ warnings?/, 'lint'),
  passed('pyright', /^0 errors, \d+ warnings?/, 'lint'),
  failed('prettier', /Code style issues (found|in)\b/, 'lint'),
  passed('prettier', /^All matched files use Prettier code style!/, 'lint'),
  failed('dart', /^[1-9]\d* issues? found\./, 'lint'),
  passed('dart', /^No issues found!/, 'lint'),
  failed('svelte-check', /found [1-9]\d* errors?\b/, 'lint'),

  failed('cargo', /^error: could not compile\b/, 'build'),
  passed('cargo', /^\s*Finished `?\w+`? (profile|\[)/, 'build'),
  failed('vite', /^(✗ Build failed|error during build:)/, 'build'),
  passed('vite', /^✓ built in /, 'build'),
  failed('webpack', /\bcompiled with [1-9]\d* errors?\b/, 'build'),
  failed(
    'next',
    /^\s*(⨯ )?(> )?(Failed to compile|Build error occurred|Build failed because of)/,
    'build',
  ),
  failed('dotnet', /^Build FAILED\./, 'build'),
  passed('dotnet', /^Build succeeded\./, 'build'),
  failed(
    'go',
    /^[\w./-]+\.go:\d+:\d+: (undefined|cannot use|syntax error|declared and not used)/,
    'build',
  ),

  failed(
    'npm',
    /^npm (ERR!|error) (code (ELIFECYCLE|\d+)|Lifecycle script|Test failed|command failed)/,
    'tool',
  ),
  failed(
    'npm',
    /\bELIFECYCLE\b.{0,200}\b(failed|error)\b|^ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL/i,
    'tool',
  ),
  failed('npm', /^error: script "[^"]+" (exited with code [1-9]|was terminated)/, 'tool'),
  failed('npm', /^error Command failed with exit code [1-9]/, 'tool'),
  failed('make', /^g?make(\[\d+\])?: \*\*\* .*\b(Error \d+|Stop\.)$/, 'tool'),
  failed('mise', /\bERROR task failed$|^mise ERROR .*(failed|exited with)/, 'tool'),
  failed('just', /^error: [Rr]ecipe `[^`]+` (failed|was terminated)/, 'tool'),
  failed('task', /^task: Failed to run task /, 'tool'),
  failed('composer', /^Script .* returned with error code [1-9]/, 'tool'),
  failed('turbo', /^\s*ERROR\s+run failed\b|^\s*Failed:\s+\S+#\S+/, 'tool'),
  passed('turbo', /^\s*Tasks:\s+(\d+) successful, \1 total/, 'tool'),
  failed('nx', /^\s*(NX|✖|>)\s.*\b(Running target .* failed|failed)\b/, 'tool'),
  passed('nx', /\bSuccessfully ran targets? /, 'tool'),
  failed('rake', /^rake aborted!/, 'tool'),
  failed('gradle', /^BUILD FAILED\b/, 'tool'),
  passed('gradle', /^BUILD SUCCESSFUL\b/, 'tool'),
  failed('junit', /^BUILD FAILURE$/, 'tool'),
  passed('junit', /^BUILD SUCCESS$/, 'tool'),
]

/** A line without one of these cannot be a sign. */
const MAYBE =
  /pass|fail|cancel|no test|session|total|ok\b|error|tests|succ|summary|aborted|executed|done|issue|offense|congrat|evaluation|problem|built|result|terminated|total|stop\.|compil|finished|\.go:/i
const OK_ALONE = /^OK( \(.*\))?$/
const RAN = /^Ran [1-9]\d* tests? in /m

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals colour their output with them
const COLOURS = /\u001b\[[\d;?]{0,200}[ -/]{0,200}[@-~]|\u001b\][^\u0007]{0,200}\u0007/g
/** What runners of many tasks, containers and `grep -n` put before a line. */
const PREFIX =
  /^(?:\[[\w:./@-]+\]\s|[\w@/.-]+:[\w:-]+: |[\w@./-]+ [\w:-]+: |[\w.-]+\s+\| |\d+[:-])\s?/
/** A command's output has its summaries at its end; what is longer is looked at from there. */
const MAX_OUTPUT = 400_000
const MAX_LINE = 400

/** Every line of the output in which a known program says how it ended. */
export function printedOutcomes(output: string): Printed[] {
  const text = plainText(output)
  const found: Printed[] = []
  const hasRan = RAN.test(text)
  for (const line of text.split('\n')) {
    if (line.length > MAX_LINE || !MAYBE.test(line)) continue
    const own = line.trimEnd()
    const sign = signIn(own) ?? signIn(own.replace(PREFIX, ''))
    if (sign)
      found.push({
        about: sign.about,
        runner: sign.runner,
        outcome: sign.outcome,
        isPartial: sign.isPartial === true,
      })
    else if (hasRan && OK_ALONE.test(own))
      found.push({ about: 'test', runner: 'unittest', outcome: 'passed', isPartial: false })
  }
  return found
}

function signIn(line: string): Sign | undefined {
  return SIGNS.find(({ pattern }) => pattern.test(line))
}

export function plainText(output: string): string {
  return output.slice(-MAX_OUTPUT).replace(COLOURS, '').replaceAll('\r', '')
}

/** A line that each runner prints for a failure: if a filter lets it through, a failure would have been seen. */
const FAILURE_LINES: Readonly<Record<string, string>> = {
  go: 'FAIL\texample.com/pkg\t0.010s',
  jest: 'Tests:       1 failed, 4 passed, 5 total',
  bun: ' 1 fail',
  mocha: '  1 failing',
  playwright: '  1 failed',
  node: '# fail 1',
  cargo: 'test result: FAILED. 4 passed; 1 failed; 0 ignored',
  junit: 'Tests run: 5, Failures: 1, Errors: 0, Skipped: 0',
  dotnet: 'Failed!  - Failed:     1, Passed:     4',
  gtest: '[  FAILED  ] 1 test, listed below:',
  swift: 'Executed 5 tests, with 1 failure (0 unexpected)',
  ava: '  1 test failed',
  forge: 'Suite result: FAILED. 4 passed; 1 failed',
}

export function failureLineOf(runner: string): string {
  return FAILURE_LINES[runner] ?? 'FAIL'
}

const MAX_NAMES = 8
const MAX_ERRORS = 6
const MAX_TAIL_LINES = 12
const MAX_TAIL = 1200
const NAMES =
  /^\s*(--- FAIL: \S+|FAILED \S+|ERROR \S+\.py|\(fail\) |(✕|✗|×|✘) |FAIL\s+\S+|not ok \d+|test \S+ \.\.\. FAILED|● .* › |rspec \S+:\d+|\d+\) \S+::\w+)/
const ERRORS =
  /^\s*(E\s{2,}\S|panic: |\S*(Error|Exception)\b[^\n]{0,3}:|error(\[\w+\])?: |Error: |AssertionError|assert|expected\b|Expected\b|undefined: |[\w./-]+:\d+(:\d+)?: )|\berror TS\d+: /

/** What is kept of a failure: the tests that failed, the errors, and the last lines. */
export function failureText(output: string): string {
  const lines = plainText(output)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '')
  const end = lines.slice(-MAX_TAIL_LINES)
  const before = lines.slice(0, -MAX_TAIL_LINES).filter((line) => line.length <= MAX_LINE)
  const names = unique(before.filter((line) => NAMES.test(line))).slice(0, MAX_NAMES)
  const errors = unique(before.filter((line) => ERRORS.test(line) && !names.includes(line))).slice(
    -MAX_ERRORS,
  )
  const head = [...names, ...errors]
    .map((line) => line.slice(0, 200))
    .join('\n')
    .slice(0, MAX_TAIL / 2)
  const tail = end.join('\n').slice(-(MAX_TAIL - head.length))
  return head === '' ? tail : `${head}\n${tail}`
}

function unique(lines: readonly string[]): string[] {
  return [...new Set(lines)]
}
