import { go, pathTo, usePlace } from '../../live/router.ts'
import { useFamily } from '../../live/session.ts'
import { Choice } from '../../parts/choice.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { Select } from '../../parts/select.tsx'
import { Empty, FamilyOff } from '../../parts/states.tsx'
import { ContextResults } from './context-results.tsx'
import { Everything } from './everything.tsx'
import { GrepResults } from './grep-results.tsx'
import { KINDS } from './search-data.ts'

export function SearchPage() {
  const on = useFamily('context')
  const { query } = usePlace()
  const given = (name: string) => query.get(name) ?? ''
  const chosen = {
    by: given('by'),
    type: given('type'),
    source: given('source'),
    module: given('module'),
    files: given('files'),
    regex: given('regex'),
  }
  const words = given('q')
  const show = (changes: Partial<typeof chosen>) =>
    go(pathTo(['search'], { ...chosen, ...changes, q: words }), { replace: true })
  if (!on) {
    return (
      <>
        <PageHeader title="Search" />
        <FamilyOff family="context" what="Searches" />
      </>
    )
  }
  const exact = chosen.by === 'text'
  const all = chosen.by === 'all'
  return (
    <>
      <PageHeader title="Search" lead="Requests, answers, decisions, tasks, documents and code">
        <Choice
          label="How to search"
          value={exact || all ? chosen.by : 'meaning'}
          options={[
            ['all', 'Everything'],
            ['meaning', 'By meaning'],
            ['text', 'Exact text'],
          ]}
          onChoose={(by) => show({ by: by === 'meaning' ? '' : by })}
        />
      </PageHeader>
      <SearchBox
        page="search"
        words={words}
        label={exact ? 'Search for exact text' : 'What are you looking for?'}
        beside={chosen}
      />
      <div class="filters">
        {all ? null : exact ? (
          <>
            <TextFilter
              label="Files, such as src/**/*.ts"
              value={chosen.files}
              onChange={(files) => show({ files })}
            />
            <label>
              <input
                type="checkbox"
                checked={chosen.regex !== ''}
                onChange={({ currentTarget }) => show({ regex: currentTarget.checked ? '1' : '' })}
              />{' '}
              Regular expression
            </label>
          </>
        ) : (
          <>
            <Select
              label="Kind"
              value={chosen.type}
              options={[['', 'Any kind'], ...KINDS.map((kind) => [kind, kind] as const)]}
              onChange={(type) => show({ type })}
            />
            <Select
              label="Source"
              value={chosen.source}
              options={[
                ['', 'Any source'],
                ['discovery', 'Discoveries'],
                ['session', 'Dialogs'],
                ['code', 'Code'],
              ]}
              onChange={(source) => show({ source })}
            />
            <TextFilter
              label="Module"
              value={chosen.module}
              onChange={(module) => show({ module })}
            />
          </>
        )}
      </div>
      {words.trim() === '' ? (
        <Beginning />
      ) : all ? (
        <Everything typed={words.trim()} />
      ) : exact ? (
        <GrepResults text={words} isRegex={chosen.regex !== ''} files={chosen.files} />
      ) : (
        <ContextResults
          words={words.trim()}
          type={chosen.type}
          source={chosen.source}
          module={chosen.module}
        />
      )}
    </>
  )
}

interface TextFilterProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

function TextFilter({ label, value, onChange }: TextFilterProps) {
  return (
    <input
      type="text"
      value={value}
      aria-label={label}
      placeholder={label}
      onChange={(event) => onChange(event.currentTarget.value.trim())}
    />
  )
}

function Beginning() {
  return (
    <Empty title="Ask in your own words">
      <p>
        “how does sign-in work”, “why did we drop Redis”, or the name of a function. Results come
        from what agents recorded, what you asked them, and the code; each shows why it ranks where
        it does.
      </p>
    </Empty>
  )
}
