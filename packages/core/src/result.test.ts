import { describe, expect, it } from 'vitest'
import { Result } from './result.ts'

describe('Result', () => {
  it('I1 ok carries the value, and message and instruction where given', () => {
    const result = Result.ok({ a: 1 }, { message: 'for people', instruction: 'for agents' })
    expect(result).toMatchObject({
      success: true,
      value: { a: 1 },
      message: 'for people',
      instruction: 'for agents',
    })
    expect(result.error).toBeUndefined()
  })

  it('I2 failure carries error and kind, and the extras where given', () => {
    const exception = new TypeError('inner')
    const result = Result.failure('it broke', 'not_found', {
      exception,
      message: 'sorry',
      instruction: 'stop',
    })
    expect(result).toMatchObject({
      success: false,
      error: 'it broke',
      errorType: 'not_found',
      exception,
      message: 'sorry',
      instruction: 'stop',
    })
  })

  it('I3 JSON has snake_case keys and only the fields that are there', () => {
    const exception = new TypeError('inner')
    expect(
      JSON.parse(
        Result.failure('it broke', 'not_found', { exception, instruction: 'stop' }).toJsonStr(),
      ),
    ).toEqual({
      success: false,
      error: 'it broke',
      error_type: 'not_found',
      exception_type: 'TypeError',
      exception_message: 'inner',
      instruction: 'stop',
    })
    expect(JSON.parse(Result.ok(null).toJsonStr())).toEqual({ success: true, value: null })
  })

  it('I4 keeps the instruction for the agent apart from the message for the person', () => {
    expect(Result.ok(1, { message: 'm' }).toJson()).not.toHaveProperty('instruction')
    expect(Result.ok(1, { instruction: 'i' }).toJson()).not.toHaveProperty('message')
  })
})
