import type { FastifyRequest } from 'fastify';
import type { RouteOptions } from './route.js';

/** Who may pass; provided by the accounts module. */
export abstract class Access {
  /**
   * Notes on the request whose it is.
   * @throws Problem for whom the route does not allow
   */
  abstract admit(request: FastifyRequest, route: RouteOptions): Promise<void> | void;
}
