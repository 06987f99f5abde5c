import type { ComponentType } from 'preact'

export interface PageEntry {
  readonly path: string
  readonly name: string
  /** Pressed after g. */
  readonly key: string
  /** Where the menu shows it; elsewhere it is reached from another page. */
  readonly menu?: 'always' | 'with a model' | 'with a team'
  /** The page of the menu that it belongs to. */
  readonly below?: string
  load(): Promise<ComponentType>
}

/** Each page is a part of its own, loaded when it is first opened. */
export const pages: readonly PageEntry[] = [
  {
    path: '',
    menu: 'always',
    name: 'Today',
    key: 'h',
    load: async () => (await import('../pages/today/today-page.tsx')).TodayPage,
  },
  {
    path: 'dialogs',
    menu: 'always',
    name: 'Dialogs',
    key: 'd',
    load: async () => (await import('../pages/dialogs/dialogs-page.tsx')).DialogsPage,
  },
  {
    path: 'tasks',
    menu: 'always',
    name: 'Tasks',
    key: 't',
    load: async () => (await import('../pages/tasks/tasks-page.tsx')).TasksPage,
  },
  {
    path: 'search',
    name: 'Search',
    key: 's',
    load: async () => (await import('../pages/search/search-page.tsx')).SearchPage,
  },
  {
    path: 'suggestions',
    below: 'guide',
    name: 'Suggestions',
    key: 'i',
    load: async () => (await import('../pages/suggestions/suggestions-page.tsx')).SuggestionsPage,
  },
  {
    path: 'guide',
    menu: 'always',
    name: 'Rules',
    key: 'u',
    load: async () => (await import('../pages/guide/guide-page.tsx')).GuidePage,
  },
  {
    path: 'tools',
    below: 'usage',
    name: 'Tools',
    key: 'o',
    load: async () => (await import('../pages/tools/tools-page.tsx')).ToolsPage,
  },
  {
    path: 'usage',
    menu: 'always',
    name: 'Usage',
    key: 'f',
    load: async () => (await import('../pages/figures/usage-page.tsx')).UsagePage,
  },
  {
    path: 'team',
    menu: 'with a team',
    name: 'Team',
    key: 'm',
    load: async () => (await import('../pages/team/team-page.tsx')).TeamPage,
  },
  {
    path: 'chat',
    menu: 'with a model',
    name: 'Chat',
    key: 'c',
    load: async () => (await import('../pages/chat/chat-page.tsx')).ChatPage,
  },
  {
    path: 'file',
    below: 'search',
    name: 'File',
    key: '',
    load: async () => (await import('../pages/search/file-page.tsx')).FilePage,
  },
]
