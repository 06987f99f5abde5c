import manifest from '../../../package.json' with { type: 'json' }

export const version: string = manifest.version
/** As the registry knows it; the command and the server are called `secretary` whatever the package is called. */
export const packageName: string = manifest.name
