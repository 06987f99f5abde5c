export declare const allPlatforms: readonly string[]
export declare function platformModules(root: string, platform: string): string
