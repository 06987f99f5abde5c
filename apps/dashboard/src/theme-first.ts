import { applyTheme, storedTheme } from './shell/theme.ts'

// Runs before the first paint, so that a chosen theme never flashes in the other one's colours.
applyTheme(storedTheme())
