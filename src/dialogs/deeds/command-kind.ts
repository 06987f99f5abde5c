import type { CommandKind } from './deed.ts'

/** In this order: `npm install && npm test` is a test, `git commit` after a build is git. */
const KINDS: readonly (readonly [CommandKind, RegExp])[] = [
  [
    'test',
    /\b(vitest|jest|mocha|pytest|tox|rspec|phpunit|ctest|nextest|playwright test|ava|tap|karma|cypress run)\b|\b(npm|pnpm|yarn|bun|deno|cargo|go|dotnet|mix|swift|gradle|gradlew|mvn|mvnw|make|just|task|nx|turbo|rake|composer|flutter|dart|bazel|zig build|rails|poetry run|uv run)(\s+(run|-s|--silent|-w|-C|--filter|--dir|--workspace|--prefix)(=?\s*[^\s-]\S*)?)*\s+(test|tests|check:test|spec|e2e|verify)\b|\btest:[\w:-]+|\b(unittest|manage\.py test|node --test)\b/,
  ],
  [
    'lint',
    /\b(eslint|biome|prettier|ruff|flake8|pylint|mypy|pyright|tsc\s.*--noEmit|clippy|golangci-lint|go vet|gofmt|rubocop|stylelint|shellcheck|black|isort|ktlint|swiftlint|phpstan|psalm|oxlint|dprint|rustfmt|cargo fmt)\b|\b(npm|pnpm|yarn|bun|make|just|task|nx|turbo)\b[^|;&]*\b(lint|typecheck|type-check|format|fmt|check-types)\b/,
  ],
  [
    'build',
    /\b(npm|pnpm|yarn|bun|make|just|task|nx|turbo|cargo|go|dotnet|gradle|gradlew|swift|flutter|docker|zig|bazel|mix)\b[^|;&]*\b(build|compile|assemble|bundle|package|vet)\b|\b(tsc|esbuild|webpack|rollup|vite build|next build|mvn|mvnw|cmake|ninja|javac|gcc|g\+\+|clang|rustc|xcodebuild)\b|(^|[;&|]\s*)make(\s|$)/,
  ],
  [
    'install',
    /\b(npm (ci|i|install|add)|pnpm (i|install|add)|yarn (install|add)|bun (install|add|i)|pip3? install|uv (add|sync|pip)|poetry (add|install)|cargo (add|install)|go (get|mod)|brew install|apt(-get)? install|gem install|bundle install|composer (install|require)|dotnet (add|restore))\b/,
  ],
  ['git', /(^|[;&|(]\s*)(git|gh|glab)\b/],
]

const MOST_COMMANDS = 1000
/** The same few commands are run again and again. */
const known = new Map<string, CommandKind>()

export function commandKind(command: string): CommandKind {
  const before = known.get(command)
  if (before !== undefined) return before
  const words = withoutTexts(command)
  const kind = KINDS.find(([, pattern]) => pattern.test(words))?.[0] ?? 'other'
  if (known.size < MOST_COMMANDS) known.set(command, kind)
  return kind
}

/** What is quoted or fed in is not what is run. */
function withoutTexts(command: string): string {
  return command
    .replace(/<<-?\s*['"]?(\w+)['"]?[\s\S]*?\n\s*\1\b/g, ' ')
    .replace(/-m\s+("(?:[^"\\]|\\.)*"|'[^']*')/g, '-m text')
    .slice(0, 2000)
}
