import { describe, expect, it } from 'vitest'
import { cellsOf, heatMapSvg, labelsOf } from './heat-map.ts'

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
    expect(cells[0]).toMatchObject({ day: '2026-03-01' })
    expect(cells[7]?.x).toBeGreaterThan(cells[0]?.x ?? 0)
    expect(cells[7]?.y).toBe(cells[0]?.y)
  })

  it('names each month above its first week, and three days of the week', () => {
    const cells = cellsOf('2025-12-29', [], TODAY)
    const labels = labelsOf(cells)
    // Three days of December leave no room for its name.
    expect(labels.map(({ text }) => text)).toEqual(['Jan', 'Feb', 'Mar', 'Mon', 'Wed', 'Fri'])
    expect(labels[1]?.x).toBe(cells.find(({ day }) => day === '2026-02-01')?.x)
  })

  it('can be taken along as a file', () => {
    expect(heatMapSvg(cellsOf('2026-03-09', [], TODAY))).toMatch(
      /^<svg xmlns="[^"]+"[^>]*>(<rect [^>]*><title>[^<]*<\/title><\/rect>){2}(<text [^>]*>\w{3}<\/text>){4}<\/svg>\n$/,
    )
  })
})
