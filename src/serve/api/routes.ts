import type { App } from '../../app.ts'
import { chatRoutes } from './chat-routes.ts'
import { dialogRoutes } from './dialog-routes.ts'
import { pageRoutes } from './page-routes.ts'
import type { Route } from './route.ts'
import { taskRequestRoutes } from './task-request-routes.ts'
import { taskRoutes } from './task-routes.ts'
import { toolRoutes } from './tool-routes.ts'

/** Every address of the API: served by the HTTP app, documented in `docs/openapi.json`. */
export function apiRoutes(app: App): Route[] {
  return [
    ...toolRoutes(app),
    ...taskRoutes(app),
    ...taskRequestRoutes(app),
    ...chatRoutes(app),
    ...dialogRoutes(app),
    ...pageRoutes(app),
  ]
}
