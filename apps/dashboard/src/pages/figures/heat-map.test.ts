import { describe, expect, it } from 'vitest'
import { cellsOf, heatMapSvg } from './heat-map.ts'

const TODAY = Date.parse('2026-03-10T12:00:00Z')

describe('the year as a heat map', () => {
  it('has a square for each day, darker the more was asked', () => {
    const cells = cellsOf(
      '2026-03-01',
      [
        { day: '2026-03-02', requests: 8 },
        { day: '2026-03-03', requests: 1 },
        { day: '2026-03-03', requests: 1 },
      ],
      TODAY,
    )
    expect(cells.length).toBe(10)
    expect(cells.map(({ level }) => level).slice(0, 4)).toEqual([0, 4, 1, 0])
    expect(cells[0]).toMatchObject({ day: '2026-03-01', x: 0, y: 0 })
    expect(cells[7]?.x).toBeGreaterThan(0)
  })

  it('can be taken along as a file', () => {
    expect(heatMapSvg(cellsOf('2026-03-09', [], TODAY))).toMatch(
      /^<svg xmlns="[^"]+"[^>]*>(<rect [^>]*><title>[^<]*<\/title><\/rect>){2}<\/svg>\n$/,
    )
  })
})
