import { takenBack, toast } from './toast.js';

/** Saves new values, and offers to take them back: `before` is saved again, unless somebody has changed them since. */
export async function saveUndoably<Body extends object>(
  send: (body: Body & { se_ainda?: Body }) => Promise<unknown>,
  body: Body,
  before: Body,
  said = 'Configurações salvas',
): Promise<void> {
  await send(body);
  toast.success(
    said,
    takenBack(() => send({ ...before, se_ainda: body })),
  );
}
