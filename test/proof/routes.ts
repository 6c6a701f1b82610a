import { Client } from '../support/client.js';

interface Operation {
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: { content: Record<string, { schema: Record<string, unknown> }> };
}

export interface ApiRoute {
  method: string;
  /** With its parameters in braces, such as /api/v1/students/{id}. */
  path: string;
  operation: Operation;
}

/** Every route under /api/v1, as the application itself lists them. */
export async function apiRoutes(app: { url: string }): Promise<ApiRoute[]> {
  const { body } = await new Client(app.url).request<{ paths: Record<string, Record<string, Operation>> }>(
    'GET',
    '/api/openapi.json',
  );
  return Object.entries(body.paths)
    .filter(([path]) => path.startsWith('/api/v1/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
      })),
    );
}
