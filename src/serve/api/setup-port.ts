import * as z from 'zod'

export const agentState = z.object({
  id: z.string(),
  label: z.string(),
  isFound: z.boolean(),
  looked: z.array(z.string()).describe('Where it was looked for'),
  hasEntry: z.boolean().describe('Whether its files name Secretary already'),
})

export const shownEdit = z.object({
  label: z.string(),
  file: z.string(),
  state: z.enum(['there', 'by-hand', 'new']),
  change: z.string().optional().describe('Lines that come and go'),
  reason: z.string().optional().describe('Why it has to be added by hand'),
  addition: z.string().describe('What a person would add by hand'),
})

export const writtenSetup = z.object({ files: z.array(z.string()), notes: z.array(z.string()) })

/** How agents on this machine are told of Secretary; the command line has it too. */
export interface Setup {
  /** For any client that starts the server itself. */
  snippet(): string
  agents(): z.input<typeof agentState>[]
  edits(agent: string): z.input<typeof shownEdit>[]
  write(agent: string): z.input<typeof writtenSetup>
}
