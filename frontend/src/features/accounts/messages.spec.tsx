import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { newAuthClient } from '../../lib/auth-client.js';
import { STORAGE_KEY } from '../../lib/auth-storage.js';
import { type Answers, button, field, open, Refusal, said } from '../../../spec/screen.js';
import ForgotPassword from './forgot-password.js';
import { InvitedForm } from './invited-form.js';
import { ProviderButtons } from './provider-buttons.js';
import { LoginForm } from './login-form.js';
import RegisterForm from './register-form.js';
import { signOut } from './sign-out.js';
import { useRefusal } from './use-refusal.js';

const nothing = () => undefined;
/** An error in the auth service's format. */
const refused = (code: string) => new Refusal(422, { code, error_code: code, msg: code });
const REFUSED = refused('unexpected_failure');
const user = { id: '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a17', email: 'ana@exemplo.com' };
const session = { access_token: 'a.e30.c', refresh_token: 'r', token_type: 'bearer', expires_in: 3600, user };

describe('a person without an account', () => {
  it.each<[string, unknown, [string, string?]]>([
    ['has one then', user, ['Conta criada com sucesso!', 'Verifique seu e-mail para confirmar a conta.']],
    ['had one already', refused('user_already_exists'), ['Usuário já cadastrado. Faça login.']],
    ['gets none', REFUSED, ['Erro ao criar conta. Tente novamente.', 'Ocorreu um erro inesperado.']],
  ])('%s', async (_, answer, words) => {
    const hand = open(<RegisterForm />, { answers: { 'POST /signup': answer } });
    await hand.type(await field('Nome'), 'Ana Souza');
    await hand.type(await field('CPF'), '52998224725');
    await hand.type(await field('Data de nascimento'), '02031990');
    await hand.type(await field('Celular'), '11943214321');
    await hand.click(await screen.findByRole('checkbox'));
    await hand.type(await field('E-mail'), 'ana@exemplo.com');
    await hand.type(await field('Senha'), 'corda-azul-73');
    await hand.click(await button('Criar conta'));
    expect(await said()).toEqual(words);
  });

  async function followInvite(answers: Answers, confirmation = 'corda-azul-73') {
    const hand = open(
      <InvitedForm token="x" student={{ nome: 'Ana Souza' }} onDone={nothing} onNotValid={nothing} />,
      { answers },
    );
    await hand.type(await field('E-mail'), 'ana@exemplo.com');
    await hand.type(await field('Senha'), 'corda-azul-73');
    await hand.type(await field('Confirmar senha'), confirmation);
    await hand.click(await screen.findByRole('checkbox'));
    await hand.click(await button('Criar conta'));
  }

  it.each<[string, unknown, [string, string?]]>([
    ['has one then', session, ['Conta criada com sucesso! Você será redirecionado...']],
    ['had one already', refused('user_already_exists'), ['Este email já está cadastrado']],
    ['gets none', REFUSED, ['Erro ao criar conta: Ocorreu um erro inesperado.']],
  ])('%s, following an invite', async (_, answer, words) => {
    await followInvite({ 'POST /signup': answer });
    expect(await said()).toEqual(words);
  });

  it('is asked for each field that is empty', async () => {
    const hand = open(<RegisterForm />);
    await hand.click(await button('Criar conta'));
    const errors = [
      'Informe seu nome',
      'Informe seu CPF',
      'Informe sua data de nascimento',
      'Informe o celular com DDD',
      'Informe seu e-mail',
      'Crie uma senha',
    ];
    for (const error of errors) await screen.findByText(error);
    expect(document.body.textContent).not.toContain('Campo obrigatório');
  });

  it('is asked for each field that is empty, following an invite', async () => {
    const hand = open(
      <InvitedForm token="x" student={{ nome: 'Ana Souza' }} onDone={nothing} onNotValid={nothing} />,
    );
    await hand.clear(await field('Nome'));
    await hand.click(await button('Criar conta'));
    for (const error of ['Informe seu nome', 'Informe seu e-mail', 'Crie uma senha'])
      await screen.findByText(error);
  });

  it('needs a password that is long enough', async () => {
    const hand = open(<RegisterForm />);
    await hand.type(await field('Senha'), 'corda');
    await hand.click(await button('Criar conta'));
    await screen.findByText('A senha deve ter no mínimo 6 caracteres');
  });

  it('is told of a wrong check digit of the CPF when the field is left, until it is right', async () => {
    const hand = open(<RegisterForm />);
    await hand.type(await field('CPF'), '52998224726');
    await hand.tab();
    await screen.findByText('CPF inválido');
    await hand.type(await field('CPF'), '{Backspace}5');
    await hand.tab();
    await waitFor(() => expect(screen.queryByText('CPF inválido')).toBeNull());
  });

  it('has to agree to the terms of use, which open from the form', async () => {
    const hand = open(<RegisterForm />);
    await hand.click(await button('Criar conta'));
    await screen.findByText('Para criar a conta, concorde com os termos de uso');
    const link = await screen.findByRole('link', { name: 'Ler os termos' });
    expect(link.getAttribute('href')).toBe('/termos');
  });

  it('has to repeat the same password', async () => {
    await followInvite({}, 'corda-azul-74');
    expect(document.body.textContent).toContain('As senhas não coincidem');
  });
});

describe('a person with an account', () => {
  it.each<[string, unknown, [string, string?]]>([
    ['gets a mail', {}, ['Email enviado!', 'Abra o link para criar uma nova senha.']],
    ['gets no mail', REFUSED, ['Erro ao enviar email', 'Ocorreu um erro inesperado.']],
    [
      'gets no other mail within a minute',
      refused('over_email_send_rate_limit'),
      ['Já enviamos um e-mail há pouco', 'Use o link ou o código do mais recente.'],
    ],
  ])('and forgot the password %s', async (_, answer, words) => {
    const hand = open(<ForgotPassword email="ana@exemplo.com" onClose={nothing} />, {
      answers: { 'POST /recover': answer },
    });
    await hand.click(await button('Enviar link'));
    expect(await said()).toEqual(words);
  });

  it('who returns from a provider without being signed in is told so', async () => {
    function Returned() {
      useRefusal('server_error', nothing);
      return null;
    }
    open(<Returned />);
    expect(await said()).toEqual(['Não foi possível fazer login. Tente novamente.']);
  });

  it('is offered only the providers for which the service has keys', async () => {
    const settings = { external: { google: true, apple: false, email: true } };
    open(<ProviderButtons backTo="/auth" />, { answers: { 'GET /auth/v1/settings': settings } });
    await button('Google');
    expect(screen.getAllByRole('button')).toHaveLength(1);
  });

  it('who has not confirmed the address is told so, and may type the code', async () => {
    const hand = open(<LoginForm />, {
      answers: { 'POST /token': refused('email_not_confirmed') },
    });
    await hand.type(await field('E-mail'), 'ana@exemplo.com');
    await hand.type(await field('Senha'), 'corda-azul-73');
    await hand.click(await button('Entrar'));
    expect((await said())[0]).toBe('Seu e-mail ainda não foi confirmado');
    await field('Código do e-mail');
  });

  it.each<[string, unknown, [string, string?]]>([
    ['stays where the server has an error', new Refusal(500), ['Erro ao fazer logout']],
    ['stays where the session is locked', new Refusal(409), ['Erro ao fazer logout']],
    ['leaves', {}, ['Logout realizado com sucesso']],
  ])('who signs out %s', async (_, answer, words) => {
    open(null, { answers: { 'POST /logout': answer } });
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...session, expires_at: 4_000_000_000 }));
    await signOut();
    expect(await said()).toEqual(words);
    expect(localStorage.getItem(STORAGE_KEY) === null).toBe(words[0] !== 'Erro ao fazer logout');
  });

  it('is told by the authentication client that it needs an address', async () => {
    const client = newAuthClient({ storageKey: 'x', persistSession: false });
    const { error } = await client.signInWithOtp({} as never);
    expect(error?.message).toBe('You must provide either an email or phone number.');
  });
});
