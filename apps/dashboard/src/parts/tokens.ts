interface Tokens {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly cost?: number
}

const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })

export function shortCount(count: number): string {
  return short.format(count)
}

/** Small amounts keep two figures that say something. */
export function shownCost(cost: number, currency: string): string {
  const digits = cost > 0 && cost < 0.1 ? 4 : 2
  return `${cost.toFixed(digits)} ${currency}`
}

/** `12K in, 340K cached, 4.1K out, 0.31 USD` */
export function shownTokens(
  { input, output, cacheRead, cacheWrite, cost }: Tokens,
  currency: string,
): string {
  const cached = cacheRead + cacheWrite
  return [
    `${shortCount(input)} in`,
    cached > 0 && `${shortCount(cached)} cached`,
    `${shortCount(output)} out`,
    cost !== undefined && shownCost(cost, currency),
  ]
    .filter(Boolean)
    .join(', ')
}
