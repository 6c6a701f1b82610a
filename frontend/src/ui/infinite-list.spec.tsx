import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { NetworkError, ProblemError } from '../lib/problem.js';
import { InfiniteList, type PagedQuery } from './infinite-list.js';

/** Reports to every observer that its element has come into view. */
let comesIntoView: () => void;

beforeEach(() => {
  const observers = new Set<() => void>();
  comesIntoView = () => observers.forEach((tell) => tell());
  window.IntersectionObserver = class {
    constructor(private readonly tell: IntersectionObserverCallback) {}
    private readonly enter = () =>
      this.tell([{ isIntersecting: true } as IntersectionObserverEntry], this as never);
    observe = () => void observers.add(this.enter);
    disconnect = () => void observers.delete(this.enter);
  } as unknown as typeof IntersectionObserver;
});

const loaded: PagedQuery<string> = {
  data: { pages: [{ items: ['Ana', 'Bia'] }, { items: ['Caio'] }] },
  error: null,
  isPending: false,
  fetchStatus: 'idle',
  hasNextPage: true,
  isFetchingNextPage: false,
  refetch: () => undefined,
  fetchNextPage: () => undefined,
};
const nothing = { data: undefined, hasNextPage: false };

function given(changes: Partial<PagedQuery<string>>, manual = false) {
  const fetchNextPage = jest.fn();
  const refetch = jest.fn();
  const of = { ...loaded, fetchNextPage, refetch, ...changes };
  render(
    <MantineProvider env="test">
      <InfiniteList of={of} manual={manual} empty={<p>Nenhum aluno</p>}>
        {(items) => <p>{items.join(', ')}</p>}
      </InfiniteList>
    </MantineProvider>,
  );
  return { fetchNextPage, refetch, user: userEvent.setup() };
}

describe('a list that loads as it is read', () => {
  it('shows the items of all its pages and asks for the next one when its end comes into view', () => {
    const { fetchNextPage } = given({});
    expect(screen.getByText('Ana, Bia, Caio')).toBeTruthy();
    expect(fetchNextPage).not.toHaveBeenCalled();
    act(() => comesIntoView());
    expect(fetchNextPage).toHaveBeenCalledTimes(1);
  });

  it('does not ask again while a page is on its way', () => {
    const { fetchNextPage } = given({ isFetchingNextPage: true });
    act(() => comesIntoView());
    expect(fetchNextPage).not.toHaveBeenCalled();
  });

  it('loads more only on a tap if there is content below it', async () => {
    const { fetchNextPage, user } = given({}, true);
    act(() => comesIntoView());
    expect(fetchNextPage).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Mostrar mais' }));
    expect(fetchNextPage).toHaveBeenCalledTimes(1);
  });

  it('says that it is empty', () => {
    given({ data: { pages: [{ items: [] }] }, hasNextPage: false });
    expect(screen.getByText('Nenhum aluno')).toBeTruthy();
  });

  it('says why it could not be loaded and tries again on a tap', async () => {
    const { refetch, user } = given({ ...nothing, error: new NetworkError(undefined) });
    expect(screen.getByRole('alert').textContent).toContain('Não foi possível carregar');
    await user.click(screen.getByRole('button', { name: 'Tentar de novo' }));
    expect(refetch).toHaveBeenCalledTimes(1);
  });

  it('offers no retry where the user has no permission', () => {
    const refused = new ProblemError(403, { title: 'Você não tem permissão' }, null);
    given({ ...nothing, error: refused });
    expect(screen.getByRole('alert').textContent).toContain('Acesso Negado');
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('waits for a network without calling it an error', () => {
    given({ ...nothing, isPending: true, fetchStatus: 'paused' });
    expect(screen.getByRole('status').textContent).toContain('Sem internet');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('does not show what another question was answered while it waits for a network', () => {
    given({ isPlaceholderData: true, fetchStatus: 'paused' });
    expect(screen.getByRole('status').textContent).toContain('Sem internet');
    expect(screen.queryByText('Ana, Bia, Caio')).toBeNull();
  });
});
