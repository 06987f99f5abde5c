export function findProgramsWithVectors(): string | undefined
