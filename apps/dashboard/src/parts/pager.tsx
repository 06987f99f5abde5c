interface PagerProps {
  readonly page: number
  readonly pageSize: number
  readonly total: number
  readonly onPage: (page: number) => void
}

export function Pager({ page, pageSize, total, onPage }: PagerProps) {
  const last = Math.max(0, Math.ceil(total / pageSize) - 1)
  if (last === 0) return null
  const first = page * pageSize + 1
  return (
    <nav class="pager" aria-label="Pages of the list">
      <button type="button" class="button" disabled={page === 0} onClick={() => onPage(0)}>
        First
      </button>
      <button type="button" class="button" disabled={page === 0} onClick={() => onPage(page - 1)}>
        Previous
      </button>
      <span class="quiet-line">
        {first.toLocaleString()}–{Math.min(total, first + pageSize - 1).toLocaleString()} of{' '}
        {total.toLocaleString()}
      </span>
      <button type="button" class="button" disabled={page >= last} onClick={() => onPage(page + 1)}>
        Next
      </button>
      <button type="button" class="button" disabled={page >= last} onClick={() => onPage(last)}>
        Last
      </button>
    </nav>
  )
}
