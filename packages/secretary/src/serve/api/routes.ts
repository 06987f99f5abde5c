import type { App } from '../../app/app.ts'
import { chatRoutes } from './chat-routes.ts'
import { deedRoutes } from './deed-routes.ts'
import { dialogRoutes, pinRoutes } from './dialog-routes.ts'
import { figureRoutes } from './figure-routes.ts'
import { findRoutes } from './find-routes.ts'
import { flagRoutes, guideRoutes, spaceDocumentRoutes } from './guide-routes.ts'
import { pageRoutes } from './page-routes.ts'
import { requestSharingRoutes } from './request-sharing-routes.ts'
import { type Setup, setupRoutes } from './setup-routes.ts'
import { spaceRoutes } from './space-routes.ts'
import { suggestionRoutes } from './suggestion-routes.ts'
import { taskRequestRoutes, taskRoutes, taskSpaceRoutes } from './task-routes.ts'
import { todayRoutes } from './today-routes.ts'
import { toolRoutes } from './tool-routes.ts'
import { usageRoutes } from './usage-routes.ts'

/** Every address of the API: served by the HTTP app, documented in `docs/openapi.json`, called by the page. */
export function apiRoutes(app: App, setup?: Setup) {
  return [
    ...toolRoutes(app),
    ...taskRoutes(app),
    ...taskRequestRoutes(app),
    ...taskSpaceRoutes(app),
    ...spaceRoutes(app),
    ...spaceDocumentRoutes(app),
    ...requestSharingRoutes(app),
    ...chatRoutes(app),
    ...dialogRoutes(app),
    ...deedRoutes(app),
    ...pinRoutes(app),
    ...guideRoutes(app),
    ...flagRoutes(app),
    ...figureRoutes(app),
    ...todayRoutes(app),
    ...usageRoutes(app),
    ...suggestionRoutes(app),
    ...findRoutes(app),
    ...setupRoutes(app, setup),
    ...pageRoutes(app),
  ]
}

export type ApiRoute = ReturnType<typeof apiRoutes>[number]
