import { authState, onAuthChange } from './auth.js';
import { Drafts } from './drafts.js';
import { owner } from './owner.js';

/** Null in a browser without storage; there are no drafts then. */
function here(): Drafts | null {
  try {
    return new Drafts({ device: localStorage, window: sessionStorage, owner, now: Date.now });
  } catch {
    return null;
  }
}

const drafts = here();

/** The unsent values of the form with this name. */
export const readDraft = <Values>(name: string | undefined): Partial<Values> =>
  name ? (drafts?.read(name) ?? {}) : {};

export function writeDraft(name: string | undefined, values: object): void {
  if (name) drafts?.write(name, values);
}

/** Deletes the drafts of all forms. */
export const clearDrafts = (): void => drafts?.tidy(null);

/** Deletes the drafts of other users once a user is signed in. */
export function tidyDrafts(): void {
  const tidy = () => {
    const state = authState();
    if (state.status === 'signed-in') drafts?.tidy(state.userId);
  };
  tidy();
  onAuthChange(tidy);
}
