import type { MouseEvent } from 'react';
import { codeOf, messageOf } from '../lib/problem.js';

/** A link to a prepared message ("Avisar Ana"), or to the page of what follows. */
export interface Tell {
  label: string;
  href: string;
  /** What else a tap does, or instead of following the link. */
  onClick?: (event: MouseEvent) => void;
}

export interface ToastAction {
  label: string;
  onClick: () => void;
}

type ToastOptions = {
  description?: string | undefined;
  /** Who should know of what was done, and what follows. */
  tell?: readonly Tell[] | undefined;
  /** A button beside the text. */
  action?: ToastAction | undefined;
} & (
  | {
      /** Offers "Desfazer" while the toast is shown. Resolves to whether it succeeded, as `attempt` does. */
      undo: () => Promise<boolean>;
      /** The toast after it worked; null where `undo` shows its own. */
      undone: string | null;
    }
  | { undo?: undefined; undone?: undefined }
);

/** Of a toast with a button: longer than the specified time, so that there is time to read, decide and reach it. */
const UNDO_MS = 8000;

export interface Toast {
  kind: 'success' | 'error' | 'info';
  title: string;
  description?: string | undefined;
  tell?: readonly Tell[] | undefined;
  action?: ToastAction | undefined;
  /** Milliseconds, if not the default. */
  duration?: number | undefined;
}

let announceMounted: (show: (toast: Toast) => void) => void;
const mounted = new Promise<(toast: Toast) => void>((resolve) => {
  announceMounted = resolve;
});

/** Called by the toaster once it is mounted; earlier toasts wait for it. */
export const toasterMounted = (show: (toast: Toast) => void): void => announceMounted(show);

let ask: () => void = () => undefined;
/** Resolves with the first toast. */
export const toastAsked = new Promise<void>((resolve) => {
  ask = resolve;
});

async function show(
  kind: Toast['kind'],
  title: string,
  { undo, undone, action, ...more }: ToastOptions = {},
): Promise<void> {
  ask();
  const takeBack = async () => {
    if ((await undo?.()) && undone) toast.success(undone);
  };
  (await mounted)({
    kind,
    title,
    ...more,
    action: undo ? { label: 'Desfazer', onClick: () => void takeBack() } : action,
    duration: undo || more.tell?.length ? UNDO_MS : undefined,
  });
}

/** Shows a toast: in the open sheet, otherwise over everything else. Can be called from anywhere. */
export const toast = {
  success: (title: string, options?: ToastOptions) => void show('success', title, options),
  error: (title: string, options?: ToastOptions) => void show('error', title, options),
  info: (title: string, options?: ToastOptions) => void show('info', title, options),
};

/** Runs an action, and shows a toast if it fails. True if it succeeded. */
export async function attempt(work: () => Promise<unknown>, failure: string): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    toast.error(failure, { description: messageOf(error) });
    return false;
  }
}

interface Anyway {
  /** The code of the refusal. */
  code: string;
  label: string;
  failure: string;
}

/** Does something; if it is refused with this code, a toast says why and offers to do it anyway. */
export async function orAnyway(
  work: (anyway: boolean) => Promise<unknown>,
  { code, label, failure }: Anyway,
): Promise<void> {
  try {
    await work(false);
  } catch (error) {
    if (codeOf(error) !== code) throw error;
    const onClick = () => void attempt(() => work(true), failure);
    toast.error(failure, { description: messageOf(error), action: { label, onClick } });
  }
}

/** How a toast offers to take back what it tells of: what that sends, and the words for it. */
export const takenBack = (work: () => Promise<unknown>, undone = 'Alteração desfeita') => ({
  undo: () => attempt(work, 'Erro ao desfazer'),
  undone,
});
