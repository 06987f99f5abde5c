/** Packages that say what a project is made with. */
const KNOWN: Readonly<Record<string, string>> = {
  react: 'React',
  next: 'Next.js',
  vue: 'Vue',
  nuxt: 'Nuxt',
  svelte: 'Svelte',
  '@angular/core': 'Angular',
  astro: 'Astro',
  express: 'Express',
  fastify: 'Fastify',
  hono: 'Hono',
  koa: 'Koa',
  '@nestjs/core': 'NestJS',
  electron: 'Electron',
  typescript: 'TypeScript',
  vite: 'Vite',
  tailwindcss: 'Tailwind CSS',
  prisma: 'Prisma',
  kysely: 'Kysely',
  'drizzle-orm': 'Drizzle',
  pg: 'PostgreSQL',
  mongoose: 'MongoDB',
  redis: 'Redis',
  graphql: 'GraphQL',
  vitest: 'Vitest',
  jest: 'Jest',
  playwright: 'Playwright',
  '@playwright/test': 'Playwright',
  '@modelcontextprotocol/sdk': 'MCP',
  '@modelcontextprotocol/server': 'MCP',
  django: 'Django',
  flask: 'Flask',
  fastapi: 'FastAPI',
  sqlalchemy: 'SQLAlchemy',
  pydantic: 'Pydantic',
  pytest: 'pytest',
  numpy: 'NumPy',
  pandas: 'pandas',
  torch: 'PyTorch',
  rails: 'Rails',
  sinatra: 'Sinatra',
  'laravel/framework': 'Laravel',
  'symfony/framework-bundle': 'Symfony',
  axum: 'axum',
  'actix-web': 'Actix',
  tokio: 'Tokio',
  serde: 'Serde',
  clap: 'clap',
  'github.com/gin-gonic/gin': 'Gin',
  'github.com/labstack/echo': 'Echo',
  'github.com/spf13/cobra': 'Cobra',
  'spring-boot': 'Spring Boot',
}

const FRONT = /^(React|Vue|Svelte|Angular)$/
const WHOLE = /^(Next\.js|Nuxt|Astro|Rails|Django|Laravel|Symfony)$/
const SERVER =
  /^(Express|Fastify|Hono|Koa|NestJS|Flask|FastAPI|Sinatra|axum|Actix|Gin|Echo|Spring Boot)$/
const COMMAND = /^(clap|Cobra)$/

export type ProjectType = 'cli' | 'web-app' | 'api' | 'library' | 'fullstack'

export function stackOf(dependencies: readonly string[]): string[] {
  const plain = dependencies.map((name) => name.toLowerCase())
  return [
    ...new Set(
      Object.entries(KNOWN).flatMap(([name, title]) =>
        plain.some((known) => isNamed(known, name)) ? [title] : [],
      ),
    ),
  ]
}

/** A Go module may carry a major version, a Spring starter a longer name. */
function isNamed(dependency: string, name: string): boolean {
  return (
    dependency === name ||
    dependency.startsWith(`${name}/v`) ||
    (name === 'spring-boot' && dependency.includes(name))
  )
}

export function projectTypeOf(stack: readonly string[], hasCommand: boolean): ProjectType {
  const has = (kind: RegExp) => stack.some((title) => kind.test(title))
  if (has(WHOLE) || (has(FRONT) && has(SERVER))) return 'fullstack'
  if (has(FRONT)) return 'web-app'
  if (hasCommand || has(COMMAND)) return 'cli'
  return has(SERVER) ? 'api' : 'library'
}
