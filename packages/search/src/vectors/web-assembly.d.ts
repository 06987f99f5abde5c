/** What is used of it here: the library of types for Node leaves it to the one for browsers. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Memory {
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  class Instance {
    constructor(module: Module)
    readonly exports: Readonly<Record<string, Memory | ((...numbers: number[]) => number)>>
  }
}
