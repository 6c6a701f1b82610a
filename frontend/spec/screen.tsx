import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import { STORAGE_KEY } from '../src/lib/auth-storage.js';
import { MeContext, type SignedIn } from '../src/lib/me.js';
import { type Toast, toasterMounted } from '../src/ui/toast.js';

const toasts: Toast[] = [];
toasterMounted((toast) => toasts.push(toast));

/** A refusal of the server. */
export class Refusal {
  constructor(
    readonly status: number,
    readonly body: object = {},
  ) {}
}

/** By method and address; of an address, the end, or the part before "?", is enough. */
export type Answers = Readonly<Record<string, unknown>>;

/** Computes the answer from the request's body, or gives it later. */
type Answering = (body: unknown) => unknown;

const me = {
  user: { id: 'user', nome: 'Ana' },
  membership: { role: 'personal', tenant_id: 'tenant' },
} as SignedIn;

/** The server answers every request with an error. */
export const TROUBLE = new Refusal(500, { code: 'internal', title: 'Ocorreu um erro inesperado.' });

export const NOTHING = { items: [], next: null, total: 0 };

interface Shown {
  /** The server's answers, such as to `GET /plans`; other requests get an empty list. */
  answers?: Answers;
  /** Address and route pattern of the page. */
  at?: string;
  path?: string;
  /** After a reload: the browser still has what it stored. */
  again?: boolean;
}

/** A page of a trainer who is signed in, as the server would have it. */
export function open(
  page: ReactNode,
  { answers = {}, at = '/', path = '*', again = false }: Shown = {},
): UserEvent {
  toasts.length = 0;
  if (again) cleanup();
  else {
    localStorage.clear();
    sessionStorage.clear();
  }
  localStorage.setItem(
    STORAGE_KEY,
    JSON.stringify({ access_token: 'token', expires_at: 4_000_000_000, user: { id: 'user' } }),
  );
  window.fetch = async (address, init) => {
    const [place = '', search = ''] = (address as string | URL).toString().split('?');
    const method = init?.method ?? 'GET';
    const asked = Object.keys(answers).find((key) => {
      const [of, to = ''] = key.split(' ');
      const [path = '', part = ''] = to.split('?');
      return of === method && place.endsWith(path) && search.includes(part);
    });
    const known = asked === undefined ? NOTHING : answers[asked];
    const sent: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    const answer: unknown = await (typeof known === 'function' ? (known as Answering)(sent) : known);
    return answer instanceof Refusal
      ? Response.json(answer.body, { status: answer.status })
      : Response.json(answer);
  };
  render(
    <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MeContext value={me}>
          <MemoryRouter initialEntries={[at]}>
            <Routes>
              <Route path={path} element={page} />
              <Route path="*" element={null} />
            </Routes>
          </MemoryRouter>
        </MeContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return hand();
}

/**
 * Enters a text at once, as by pasting, up to the first key: the page renders for each input, and the fields' own specs type
 * letter by letter.
 */
function hand(): UserEvent {
  const user = userEvent.setup({ delay: null });
  const type: UserEvent['type'] = async (element, text) => {
    const [, letters, keys] = /^([^{]*)(.*)$/.exec(text)!;
    await user.click(element);
    if (letters) await user.paste(letters);
    if (keys) await user.keyboard(keys);
  };
  return { ...user, type };
}

async function nextToast(): Promise<Toast> {
  await waitFor(() => {
    if (toasts.length === 0) throw new Error('nothing was said yet');
  });
  return toasts.shift()!;
}

/** Resolves with the title of the next toast, and its description if it has one. */
export async function said(): Promise<[title: string, description?: string]> {
  const { title, description } = await nextToast();
  return description === undefined ? [title] : [title, description];
}

/** As a tap does: the page changes before the test goes on. */
const tapped = (action: Toast['action']) =>
  act(() => {
    action!.onClick();
    return Promise.resolve();
  });

/** Resolves with the links of the next toast, and what its button does. */
export async function offered(): Promise<{ links: string[]; takeBack: () => Promise<void> }> {
  const { tell = [], action } = await nextToast();
  return {
    links: tell.map(({ label, href }) => `${label}: ${decodeURIComponent(href)}`),
    takeBack: () => tapped(action),
  };
}

/** Taps the button of the next toast; resolves with the toast's title. */
export async function takeBack(): Promise<string> {
  const { title, action } = await nextToast();
  await tapped(action);
  return title;
}

export const button = (name: string | RegExp) => screen.findByRole('button', { name });
export const field = (label: string | RegExp) => screen.findByLabelText<HTMLInputElement>(label);
