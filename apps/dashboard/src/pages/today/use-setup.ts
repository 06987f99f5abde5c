import { useState } from 'preact/hooks'
import { ApiError, call } from '../../live/api.ts'
import { useQuery } from '../../live/use-query.ts'
import type { SetupState } from './today-data.ts'

/**
 * What a first visit shows: nothing was asked on this machine and no agent has called. Once it is there it stays for the
 * visit, so that the first call is seen to arrive.
 */
export function useSetup(isWithoutDialogs: boolean): SetupState | undefined {
  const [isShown, setShown] = useState(false)
  const wanted = isWithoutDialogs || isShown
  const { value } = useQuery(wanted ? 'setup' : undefined, 'stats', (signal) =>
    call('get /api/v1/setup', { signal }).catch((error: Error) => {
      // Somebody else's machine: there is nothing to set up from here.
      if (error instanceof ApiError && error.status === 403) return undefined
      throw error
    }),
  )
  if (value && value.firstCall === undefined && !isShown) setShown(true)
  return isShown ? value : undefined
}
