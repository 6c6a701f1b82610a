import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { STORAGE_KEY } from '../../lib/auth-storage.js';

localStorage.setItem(
  STORAGE_KEY,
  JSON.stringify({ access_token: 'a.b.c', expires_at: 4_000_000_000, user: { id: 'ana' } }),
);
const { open, said } = await import('../../../spec/screen.js');
const { default: AuthPage } = await import('./auth-page.js');

it("who was signed out elsewhere is told so, a student without the slogan of the trainer's product", async () => {
  window.dispatchEvent(new StorageEvent('storage', { key: STORAGE_KEY, newValue: null }));
  open(<AuthPage />, { at: '/auth?destino=%2Faluno' });
  await screen.findByText(/^Sua conta foi desconectada deste aparelho\./);
  const title = () => screen.getByRole('heading', { level: 1 }).textContent;
  expect(title()).toBe('Suas aulas com seu personal');
  open(<AuthPage />, { at: '/auth?destino=%2Falunos', again: true });
  expect(title()).toBe('Sua agenda que vira dinheiro');
});

function Where() {
  const { pathname, search } = useLocation();
  return <p>{`At ${pathname}${search}.`}</p>;
}

it.each([
  '/auth?error=access_denied&error_code=signup_disabled',
  `/auth?destino=${encodeURIComponent('/?error=access_denied&error_code=signup_disabled')}`,
])('who returns from a provider without an account is told so, once: %s', async (at) => {
  open(
    <>
      <AuthPage />
      <Where />
    </>,
    { at },
  );
  expect(await said()).toEqual(['Nenhuma conta usa esse e-mail. Crie sua conta primeiro.']);
  await screen.findByText('At /auth.');
});
