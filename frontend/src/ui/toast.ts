import type { ExternalToast } from 'sonner';
import { messageOf } from '../lib/problem.js';

interface ToastOptions {
  description?: string | undefined;
  /** Offers "Desfazer" for as long as the toast shows. Answers whether it worked, as `attempt` does: then that is said. */
  undo?: (() => Promise<boolean>) | undefined;
  /** Another way on. */
  action?: { label: string; onClick: () => void } | undefined;
}

/** Long enough to read, decide and reach the button; a toast without one stays as long as the spec says. */
const OFFER_MS = 8000;

let announceMounted: () => void = () => undefined;
const mounted = new Promise<void>((resolve) => {
  announceMounted = resolve;
});

/** Called by the toaster: what is shown before it listens would be lost. */
export const toasterMounted = (): void => announceMounted();

let ask: () => void = () => undefined;
/** Resolves when something is to be said for the first time. */
export const toastAsked = new Promise<void>((resolve) => {
  ask = resolve;
});

async function show(
  kind: 'success' | 'error' | 'info',
  title: string,
  { description, undo, action }: ToastOptions = {},
) {
  ask();
  const { toast: sonner } = await import('sonner');
  await mounted;
  const takeBack = async () => {
    if (await undo?.()) toast.success('Desfeito', { description: title });
  };
  const offer = undo ? { label: 'Desfazer', onClick: () => void takeBack() } : action;
  const options: ExternalToast = {
    ...(description && { description }),
    ...(offer && { action: offer, duration: OFFER_MS }),
  };
  sonner[kind](title, options);
}

/** One line about what happened, over everything else. Can be called from anywhere. */
export const toast = {
  success: (title: string, options?: ToastOptions) => void show('success', title, options),
  error: (title: string, options?: ToastOptions) => void show('error', title, options),
  info: (title: string, options?: ToastOptions) => void show('info', title, options),
};

/** Does something that may be refused, and says so. True when it worked. */
export async function attempt(work: () => Promise<unknown>, failure: string): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    toast.error(failure, { description: messageOf(error) });
    return false;
  }
}
