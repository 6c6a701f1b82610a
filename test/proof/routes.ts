import { anyAddress } from '../support/addresses.js';
import { Client } from '../support/client.js';

interface Operation {
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: { content: Record<string, { schema: Record<string, unknown> }> };
}

export interface ApiRoute {
  method: string;
  /** With parameters in braces, such as /api/v1/students/{id}. */
  path: string;
  operation: Operation;
}

/**
 * The routes that others than trainers may call. All other routes are for trainers in their own tenant. Adding a route here is
 * a deliberate decision.
 */
export const openRoutes = {
  anybody: [
    'GET /api/v1/invites/{token}',
    'GET /api/v1/pay/{token}',
    'GET /api/v1/public/pages/{slug}',
    'POST /api/v1/pay/claim',
    'POST /api/v1/public/bookings',
    'POST /api/v1/public/visits/cancel',
    'POST /api/v1/public/visits/move',
    'POST /api/v1/public/waitlist',
    'POST /api/v1/public/waitlist/leave',
    'POST /api/v1/public/waitlist/refuse',
    'POST /api/v1/public/waitlist/take',
    'POST /api/v1/confirmations',
    'GET /api/v1/contract-files/{sha256}',
    'GET /api/v1/letter-links/{token}',
    'POST /api/v1/letter-links',
    'GET /api/v1/signature-links/{token}',
    'POST /api/v1/signature-links/code',
    'POST /api/v1/signature-links/confirm-code',
    'POST /api/v1/signature-links/decline',
    'POST /api/v1/signature-links/open',
    'POST /api/v1/signature-links/pdf',
    'POST /api/v1/signature-links/read',
    'POST /api/v1/signature-links/sign',
    'POST /api/v1/signature-links/withdraw',
  ],
  signedIn: [
    'DELETE /api/v1/account/sessions/{session}',
    'GET /api/v1/account/push',
    'GET /api/v1/account/deletion',
    'GET /api/v1/account/exports',
    'GET /api/v1/account/exports/{export}/file',
    'GET /api/v1/account/profile',
    'GET /api/v1/account/sessions',
    'GET /api/v1/account/unread',
    'GET /api/v1/me',
    'POST /api/v1/account/deletion',
    'POST /api/v1/account/exports',
    'POST /api/v1/account/push/remove',
    'POST /api/v1/invites/accept',
    'PUT /api/v1/account/profile',
    'PUT /api/v1/account/push',
  ],
  aluno: [
    'GET /api/v1/student/area',
    'DELETE /api/v1/student/calendar-feed',
    'GET /api/v1/student/calendar-feed',
    'GET /api/v1/student/charges',
    'GET /api/v1/student/credits',
    'GET /api/v1/student/credits/csv',
    'GET /api/v1/student/credits/pdf',
    'GET /api/v1/student/free-times',
    'GET /api/v1/student/notification-settings',
    'GET /api/v1/student/notifications',
    'GET /api/v1/student/notifications/unread',
    'GET /api/v1/student/payments',
    'GET /api/v1/student/sessions',
    'GET /api/v1/student/sessions/{id}/calendar',
    'GET /api/v1/student/sessions/{id}/cancellation',
    'GET /api/v1/student/signature-requests',
    'GET /api/v1/student/signature-requests/{id}',
    'GET /api/v1/student/signature-requests/{id}/pdf',
    'POST /api/v1/student/calendar-feed/renew',
    'POST /api/v1/student/calendar-feed/restore',
    'POST /api/v1/student/charges/{id}/claim',
    'POST /api/v1/student/classes/{id}/book',
    'POST /api/v1/student/classes/{id}/leave',
    'POST /api/v1/student/classes/{id}/wait',
    'POST /api/v1/student/notifications/read',
    'POST /api/v1/student/notifications/{id}/read',
    'POST /api/v1/student/sessions',
    'POST /api/v1/student/sessions/{id}/cancel',
    'POST /api/v1/student/sessions/{id}/confirm',
    'POST /api/v1/student/sessions/{id}/move',
    'POST /api/v1/student/sessions/{id}/request',
    'POST /api/v1/student/sessions/{id}/request/withdraw',
    'POST /api/v1/student/sessions/{id}/undo',
    'POST /api/v1/student/signature-requests/{id}/code',
    'POST /api/v1/student/signature-requests/{id}/confirm-code',
    'POST /api/v1/student/signature-requests/{id}/decline',
    'POST /api/v1/student/signature-requests/{id}/open',
    'POST /api/v1/student/signature-requests/{id}/sign',
    'POST /api/v1/student/signature-requests/{id}/withdraw',
    'GET /api/v1/student/why',
    'PUT /api/v1/student/calendar-feed',
    'PUT /api/v1/student/notification-settings',
    'PUT /api/v1/student/partner-name',
  ],
};

export const nameOf = ({ method, path }: ApiRoute): string => `${method} ${path}`;

/** Every route under /api/v1, from the application's OpenAPI document. */
export async function apiRoutes(app: { url: string }): Promise<ApiRoute[]> {
  const { body } = await new Client(app.url).request<{ paths: Record<string, Record<string, Operation>> }>(
    'GET',
    '/api/openapi.json',
    { headers: { 'X-Forwarded-For': anyAddress() } },
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
