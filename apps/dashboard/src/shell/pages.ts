import type { ComponentType } from 'preact'

export interface PageEntry {
  readonly path: string
  readonly name: string
  /** Pressed after g. */
  readonly key: string
  readonly hidden?: boolean
  load(): Promise<ComponentType>
}

/** Each page is a part of its own, loaded when it is first opened. */
export const pages: readonly PageEntry[] = [
  {
    path: '',
    name: 'Today',
    key: 'h',
    load: async () => (await import('../pages/today/today-page.tsx')).TodayPage,
  },
  {
    path: 'dialogs',
    name: 'Dialogs',
    key: 'd',
    load: async () => (await import('../pages/dialogs/dialogs-page.tsx')).DialogsPage,
  },
  {
    path: 'tasks',
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
    name: 'Suggestions',
    key: 'i',
    load: async () => (await import('../pages/suggestions/suggestions-page.tsx')).SuggestionsPage,
  },
  {
    path: 'guide',
    name: 'Guide',
    key: 'u',
    load: async () => (await import('../pages/guide/guide-page.tsx')).GuidePage,
  },
  {
    path: 'tools',
    name: 'Tools',
    key: 'o',
    load: async () => (await import('../pages/tools/tools-page.tsx')).ToolsPage,
  },
  {
    path: 'figures',
    name: 'Figures',
    key: 'f',
    load: async () => (await import('../pages/figures/figures-page.tsx')).FiguresPage,
  },
  {
    path: 'team',
    name: 'Team',
    key: 'm',
    load: async () => (await import('../pages/team/team-page.tsx')).TeamPage,
  },
  {
    path: 'chat',
    name: 'Chat',
    key: 'c',
    load: async () => (await import('../pages/chat/chat-page.tsx')).ChatPage,
  },
  {
    path: 'file',
    name: 'File',
    key: '',
    hidden: true,
    load: async () => (await import('../pages/search/file-page.tsx')).FilePage,
  },
]
