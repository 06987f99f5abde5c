import * as z from 'zod'

export const agentState = z.object({
  id: z.string(),
  label: z.string(),
  isFound: z.boolean(),
  looked: z.array(z.string()).describe('Where it was looked for'),
  hasForeignEntry: z
    .boolean()
    .describe('Whether they have an entry for Secretary that Secretary did not write'),
  hasEntry: z
    .boolean()
    .describe('Whether its files start Secretary already, as init would write it'),
})

export const shownEdit = z.object({
  label: z.string(),
  file: z.string(),
  state: z.enum(['there', 'by-hand', 'new', 'foreign']),
  change: z.string().optional().describe('Lines that come and go'),
  found: z.string().optional().describe('An entry for Secretary that Secretary did not write'),
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
