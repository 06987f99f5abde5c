import { useEffect, useState } from 'preact/hooks'
import { connected } from '../live/events.ts'
import { pathTo, usePlace } from '../live/router.ts'
import { session, shownPath, signOut } from '../live/session.ts'
import { useStore } from '../live/store.ts'
import { bearerToken } from '../live/token.ts'
import { pages } from './pages.ts'
import { chooseTheme, storedTheme, type Theme } from './theme.ts'

interface NavigationProps {
  readonly onHelp: () => void
  readonly onSearch: () => void
}

export function Navigation({ onHelp, onSearch }: NavigationProps) {
  const place = usePlace()
  const [open, setOpen] = useState(false)
  const known = useStore(session)
  useEffect(() => setOpen(false), [place])
  const here = place.parts[0] ?? ''
  return (
    <div class="side" data-open={open}>
      <div class="side-head">
        <a class="wordmark" href={pathTo([])}>
          Secretary
        </a>
        <button type="button" class="button search-button" onClick={onSearch}>
          Search <kbd>Ctrl K</kbd>
        </button>
        <button
          type="button"
          class="button menu-button"
          aria-expanded={open}
          aria-controls="menu"
          onClick={() => setOpen(!open)}
        >
          Menu
        </button>
      </div>
      {known && (
        <p class="side-project" title={shownPath(known.project)}>
          {shortened(shownPath(known.project))}
        </p>
      )}
      <ConnectionState />
      <div class="side-body" id="menu">
        <nav aria-label="Pages">
          <ul>
            {pages
              .filter(
                ({ menu }) => menu === 'always' || (menu === 'with a model' && known?.hasModel),
              )
              .map(({ path, name }) => (
                <li key={path}>
                  <a
                    href={pathTo(path ? [path] : [])}
                    aria-current={isHere(path, here) ? 'page' : undefined}
                  >
                    {name}
                  </a>
                </li>
              ))}
          </ul>
        </nav>
        <div class="side-foot">
          {known && <p class="who">{known.user}</p>}
          {known?.hasTeam && (
            <a href={pathTo(['team'])} aria-current={here === 'team' ? 'page' : undefined}>
              Team
            </a>
          )}
          <ThemeChoice />
          <div class="side-actions">
            <button type="button" class="button quiet" onClick={onHelp}>
              Shortcuts
            </button>
            {(bearerToken() || known?.isBrowserSession) && (
              <button type="button" class="button quiet" onClick={signOut}>
                Sign out
              </button>
            )}
          </div>
        </div>
      </div>
    </div>
  )
}

function ConnectionState() {
  return useStore(connected) ? null : (
    <p class="connection" role="status">
      Disconnected, so this may be out of date; reconnecting
    </p>
  )
}

function ThemeChoice() {
  const [theme, setTheme] = useState<Theme>(storedTheme)
  const choose = (chosen: Theme) => {
    setTheme(chosen)
    chooseTheme(chosen)
  }
  return (
    <label class="theme">
      <span>Theme</span>
      <select value={theme} onChange={(event) => choose(event.currentTarget.value as Theme)}>
        <option value="system">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  )
}

function isHere(path: string, here: string): boolean {
  return path === here || pages.some((page) => page.path === here && page.below === path)
}

function shortened(path: string): string {
  const parts = path.split(/[\\/]/).filter(Boolean)
  return parts.slice(-2).join('/')
}
