import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ProjectTasks, resolveTasks } from '@secretary-mcp/transcripts/deeds/runs/project-tasks.ts'
import { runsIn, settleRuns } from '@secretary-mcp/transcripts/deeds/runs/runs.ts'
import { invocationsIn } from '@secretary-mcp/transcripts/deeds/shell/invocations.ts'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../../../test/support/temporary-folder.ts'
import type { StoredDeed } from '../deed-store.ts'

type Files = Readonly<Record<string, string>>

function project(files: Files): string {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** What each task runs, by how it is started. */
function kinds(files: Files): Record<string, string> {
  const tasks = new ProjectTasks(project(files))
  return Object.fromEntries(
    tasks.list().map((task) => [task.run, [...tasks.kindsOf(task)].sort().join()]),
  )
}

/** The kind of a command line's last run, as the files of the project have it. */
function kindOf(command: string, folder: string): string | undefined {
  const runs = settleRuns(runsIn(invocationsIn(command)), { exit: 0, output: '' })
  const deeds = [{ kind: 'command', runs }] as unknown as StoredDeed[]
  return resolveTasks(deeds, folder)[0]?.runs?.at(-1)?.kind
}

describe('the tasks of a makefile', () => {
  it('have their variables filled in', () => {
    expect(
      kinds({
        Makefile: [
          'GO ?= go',
          'GOTEST := $(GO) test',
          'PKGS = $(shell $(GO) list ./...)',
          'GOTEST += -race',
          'define run-lint',
          '\tgolangci-lint run $(1)',
          'endef',
          'verify:',
          '\t@$(GO) test $(PKGS)',
          'check:',
          // biome-ignore lint/suspicious/noTemplateCurlyInString: make writes variables in this way
          '\t-KUBEBUILDER_ASSETS="$(shell $(ENVTEST) use -p path)" ${GOTEST} $$(go list ./...)',
          'style:',
          '\t+@$(call run-lint,./...)',
          'shown:',
          '\t@echo go test',
        ].join('\n'),
      }),
    ).toEqual({
      'make verify': 'test',
      'make check': 'other,test',
      'make style': 'lint',
      'make shown': '',
    })
  })

  it('may stand several in a line, go on over several, and have commands behind a semicolon', () => {
    expect(
      kinds({
        Makefile: [
          '.PHONY: a b \\',
          '  c',
          'a b: export X = 1',
          'a b: \\',
          '  c ## what it is for: a test',
          '\t@$(MAKE) \\',
          '\t  d',
          'c: ; go vet ./...',
          'd: | e; @go test ./...',
          'e:',
          'ifeq ($(CI),1)',
          '\tgo build ./...',
          'endif',
          'unit-%:',
          '\tgo test ./$*',
          'all:: unit-a',
        ].join('\n'),
      }),
    ).toEqual({
      'make a': 'build,lint,test',
      'make b': 'build,lint,test',
      'make c': 'lint',
      'make d': 'build,test',
      'make e': 'build',
      'make all': 'test',
    })
  })

  it('are found in included files and other folders, but not in a parent folder', () => {
    const folder = project({
      Makefile:
        'include mk/*.mk mk/go.mk\nall: verify\nsub:\n\t$(MAKE) -C api verify\nmoved:\n\tcd api && make verify\n',
      'mk/go.mk': 'verify:\n\tgo vet ./...\n',
      'api/Makefile': 'verify:\n\tgo test ./...\n',
      'web/x': '',
    })
    expect(kindOf('make', folder)).toBe('lint')
    expect(kindOf('make -j 4 sub', folder)).toBe('test')
    expect(kindOf('make moved', folder)).toBe('test')
    expect(kindOf('make -C api verify', folder)).toBe('test')
    expect(kindOf('make --directory=api verify', folder)).toBe('test')
    expect(kindOf('make -Capi verify', folder)).toBe('test')
    expect(kindOf('cd api && make -f ../Makefile verify', folder)).toBe('other')
    expect(kindOf('make -f mk/go.mk verify', folder)).toBe('lint')
    expect(kindOf('cd web && make verify', folder)).toBe('other')
  })

  it.each([
    ['a cycle', 'a: b\nb: a\n\tgo test ./...\n'],
    [
      'variables that hold one another',
      `a:\n\t$(X1)\n${Array.from({ length: 60 }, (_, at) => `X${at} = $(X${at + 1})$(X${at + 1})`).join('\n')}\n`,
    ],
    ['a variable that holds itself', 'X = $(X) x\na:\n\t$(X)\n'],
    [
      'many targets of many',
      `${'t% '.repeat(100)}: ${'a '.repeat(10_000)}\n${Array.from({ length: 20_000 }, (_, at) => `\tgo build $(X) ${at}`).join('\n')}`,
    ],
    ['brackets that never close', `a:\n\t${'$('.repeat(20_000)}\n${'X = $(\n'.repeat(20_000)}`],
    [
      'a thousand targets that need all others',
      `${Array.from({ length: 1000 }, (_, at) => `t${at}`).join(' ')}: ${Array.from({ length: 1000 }, (_, at) => `t${at}`).join(' ')}\n`,
    ],
  ])('take bounded time: %s', (_name, text) => {
    const started = performance.now()
    kinds({ Makefile: text })
    expect(performance.now() - started).toBeLessThan(3000)
  })
})

describe('the tasks of mise', () => {
  it('may stand in files, need others by pattern, and have aliases', () => {
    const files = {
      'mise.toml': [
        '[task_config]',
        'includes = ["more.toml", "tools/tasks"]',
        '[tasks.verify]',
        'file = "scripts/verify.sh"',
        'alias = "v"',
        '[tasks."lint:go"]',
        'run = ["golangci-lint run"] # the linter',
        '[tasks."lint:web"]',
        'run = "eslint ."',
        '[tasks.ci]',
        'depends = ["lint:*", { task = "verify" }]',
        '[tasks]',
        'steps = { run = [{ task = "verify" }, "go build ./..."] }',
        'short.run = """',
        'cd api',
        'go test ./...',
        '"""',
        "raw = 'go vet ./...'",
      ].join('\n'),
      'scripts/verify.sh': '#!/usr/bin/env bash\ngo test ./...\n',
      'more.toml': '[other]\nrun = "cargo test"\n',
      'tools/tasks/db/check': '#!/bin/sh\n#MISE depends=["verify"]\n#MISE alias="d"\necho done\n',
    }
    expect(kinds(files)).toEqual({
      'mise run verify': 'test',
      'mise run lint:go': 'lint',
      'mise run lint:web': 'lint',
      'mise run ci': 'lint,test',
      'mise run steps': 'build,test',
      'mise run short': 'test',
      'mise run raw': 'lint',
      'mise run other': 'test',
      'mise run db:check': 'test',
    })
    const folder = project(files)
    expect(kindOf('mise run v', folder)).toBe('test')
    expect(kindOf('mise d', folder)).toBe('test')
    expect(kindOf("mise run 'lint:*'", folder)).toBe('lint')
  })

  it('hold in the folders below, which may have their own', () => {
    const folder = project({
      'mise.toml': '[tasks]\nverify = "go test ./..."\nci = "go vet ./..."\n',
      'api/mise.toml': '[tasks]\nci = "go test ./..."\n',
      'api/deep/x': '',
    })
    expect(kindOf('cd api/deep && mise run verify', folder)).toBe('test')
    expect(kindOf('cd api/deep && mise run ci', folder)).toBe('test')
    expect(kindOf('mise run -C api ci', folder)).toBe('test')
    expect(kindOf('mise run ci', folder)).toBe('lint')
    expect(kindOf('mise verify', join(folder, 'api'))).toBe('other')
    mkdirSync(join(folder, '.git'))
    expect(kindOf('mise verify', join(folder, 'api'))).toBe('test')
  })

  it.each([
    ['a text without end', `[tasks]\na = """\n${'\n'.repeat(400_000)}`],
    ['lists without end', `[tasks]\n${'a=[1,\n'.repeat(80_000)}`],
    ['a deep list', `[tasks]\na = ${'['.repeat(400_000)}`],
    ['many quotes', `[tasks]\n${'a = "\\"\n'.repeat(60_000)}`],
  ])('take bounded time: %s', (_name, text) => {
    const started = performance.now()
    kinds({ 'mise.toml': `[tasks.ok]\nrun = "go vet"\n${text}` })
    expect(performance.now() - started).toBeLessThan(3000)
  })
})

describe('the tasks of just, Taskfile, rake, composer, poe, nox and tox', () => {
  it('of just have variables, aliases, imports and modules', () => {
    const files = {
      justfile: [
        'go := "go"',
        'alias t := verify',
        "import 'more.just'",
        'mod api',
        '[group("x")]',
        'verify target="./...": (gen "a") && style',
        '    @{{go}} test {{target}}',
        'gen what:',
        '    go generate ./{{ what }}',
      ].join('\n'),
      'more.just': 'style:\n  golangci-lint run\n',
      'api/mod.just': 'check:\n  cargo test\n',
      'api/deep/x': '',
    }
    expect(kinds(files)).toMatchObject({
      'just verify': 'build,lint,test',
      'just style': 'lint',
      'just api::check': 'test',
    })
    const folder = project(files)
    expect(kindOf('just t', folder)).toBe('test')
    expect(kindOf('just api check', folder)).toBe('test')
    expect(kindOf('cd api/deep && just t', folder)).toBe('test')
    expect(kindOf('just -f api/mod.just check', folder)).toBe('test')
  })

  it('of a Taskfile have variables, aliases and included files', () => {
    const files = {
      'Taskfile.yml': [
        "version: '3'",
        'includes:',
        '  api: ./api',
        '  web:',
        '    taskfile: ./web/Taskfile.yaml',
        'vars:',
        '  GO: go',
        'tasks:',
        '  default:',
        '    deps:',
        '      - verify',
        '  verify:',
        '    desc: "all of it: tests"',
        '    aliases: [v]',
        '    cmds:',
        '      - cmd: "{{.GO}} test ./..."',
        '        silent: true',
        '  ci:',
        '    cmds:',
        '      - task: api:verify',
        '      - |',
        '        cd web',
        '        npx eslint .',
        '  short: go vet ./...',
      ].join('\n'),
      'api/Taskfile.yml': 'tasks:\n  verify:\n    - cargo test\n',
      'web/Taskfile.yaml':
        'tasks:\n  build: { cmds: [vite build] }\n  check:\n    deps: [":short"]\n',
    }
    expect(kinds(files)).toMatchObject({
      'task default': 'test',
      'task verify': 'test',
      'task ci': 'lint,test',
      'task short': 'lint',
      'task api:verify': 'test',
      'task web:check': 'lint',
    })
    const folder = project(files)
    expect(kindOf('task', folder)).toBe('test')
    expect(kindOf('task v', folder)).toBe('test')
    expect(kindOf('task -d api verify', folder)).toBe('test')
  })

  it('of rake, composer, poe, nox and tox are followed', () => {
    expect(
      kinds({
        Rakefile: [
          'require "rspec/core/rake_task"',
          'RSpec::Core::RakeTask.new(:unit)',
          'Rake::TestTask.new do |t|',
          '  t.pattern = "test/**/*_test.rb"',
          'end',
          'RuboCop::RakeTask.new',
          'namespace :db do',
          '  task :check => [:unit]',
          'end',
          'task default: [:unit, :rubocop]',
          'task "all" do',
          '  sh "bundle exec rspec"',
          'end',
        ].join('\n'),
      }),
    ).toEqual({
      'rake unit': 'test',
      'rake test': 'test',
      'rake rubocop': 'lint',
      'rake db:check': 'test',
      'rake default': 'lint,test',
      'rake all': 'test',
    })
    expect(
      kinds({
        'composer.json':
          '{"scripts":{"qa":["@putenv A=1","@analyse","@php vendor/bin/phpunit"],"analyse":"@php -d memory_limit=-1 vendor/bin/phpstan"}}',
      }),
    ).toEqual({ 'composer qa': 'lint,test', 'composer analyse': 'lint' })
    expect(
      kinds({
        'pyproject.toml': [
          '[tool.poe.tasks]',
          'verify = "pytest -q"',
          'all = ["style", "verify"]',
          'style.cmd = "ruff check ."',
          '[tool.poe.tasks.full]',
          'deps = ["style"]',
          'sequence = [{ cmd = "pytest" }, { ref = "style" }]',
        ].join('\n'),
      }),
    ).toEqual({
      'poe verify': 'test',
      'poe all': 'lint,test',
      'poe style': 'lint',
      'poe full': 'lint,test',
    })
    const folder = project({
      'noxfile.py':
        '@nox.session(python=["3.12"], name="check")\ndef run_it(session):\n    session.install("pytest")\n    session.run("pytest", "-q", *session.posargs)\n\n@nox.session\ndef style(session):\n    session.run(\n        "ruff", "check"\n    )\n',
      'tox.ini':
        '[tox]\nenvlist = py312\n[testenv]\ncommands =\n    pytest {posargs}\n[testenv:style]\ncommands = ruff check\n',
    })
    expect(kindOf('nox -s check', folder)).toBe('test')
    expect(kindOf('nox -e style', folder)).toBe('lint')
    expect(kindOf('tox', folder)).toBe('test')
    expect(kindOf('tox -e py312', folder)).toBe('test')
    expect(kindOf('tox -e style', folder)).toBe('lint')
  })
})

describe('the scripts of npm', () => {
  it('hold in the folders below, and options say which folder or package is meant', () => {
    const folder = project({
      'package.json': '{"workspaces":["packages/*"],"scripts":{"verify":"eslint ."}}',
      'packages/api/package.json': '{"name":"@x/api","scripts":{"verify":"vitest run"}}',
      'packages/api/src/x': '',
      'docs/x': '',
    })
    expect(kindOf('cd docs && npm run verify', folder)).toBe('lint')
    expect(kindOf('cd packages/api/src && npm run verify', folder)).toBe('test')
    expect(kindOf('npm --prefix packages/api run verify', folder)).toBe('test')
    expect(kindOf('npm run verify --prefix=packages/api', folder)).toBe('test')
    expect(kindOf('pnpm -C packages/api verify', folder)).toBe('test')
    expect(kindOf('pnpm --filter @x/api verify', folder)).toBe('test')
    expect(kindOf('pnpm -w verify', folder)).toBe('lint')
    expect(kindOf('npm run verify -w packages/api', folder)).toBe('test')
    expect(kindOf('yarn workspace @x/api verify', folder)).toBe('test')
    expect(kindOf('npm --prefix "$DIR" run verify', folder)).toBe('other')
    expect(kindOf('go -C api test ./...', folder)).toBe('test')
  })
})
