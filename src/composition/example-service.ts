/** Only where the example tool is asked for. */
export async function exampleService() {
  const { exampleFamily } = await import('../example/tool-example.ts')
  return exampleFamily.serving({ greet: (name) => `Hello, ${name}` })
}
