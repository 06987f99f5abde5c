/** Which task is meant: by its number, or by words of its title. */
export type TaskReference = { readonly id: number } | { readonly words: string }

export type Intent =
  | { readonly kind: 'add'; readonly title?: string; readonly description?: string }
  | { readonly kind: 'list'; readonly completed?: boolean }
  | { readonly kind: 'complete' | 'reopen' | 'delete'; readonly task?: TaskReference }
  | {
      readonly kind: 'update'
      readonly task?: TaskReference
      readonly title?: string
      readonly description?: string
    }
  | { readonly kind: 'unsupported'; readonly wish: string }
  | { readonly kind: 'greeting' }
  | { readonly kind: 'help' }
  | { readonly kind: 'unknown' }
