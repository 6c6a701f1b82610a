import { PasswordInput, TextInput, type PasswordInputProps, type TextInputProps } from '@mantine/core';
import '@mantine/core/styles/PasswordInput.layer.css';
import * as z from 'zod/mini';
import {
  GUESSABLE,
  isGuessable,
  type PasswordOwner,
} from '../../../../backend/modules/accounts/passwords.api.js';
import { passwordMinLength } from '../../lib/password.js';

/** The server also refuses the most common ones. */
export const newPassword = z
  .string()
  .check(
    z.minLength(passwordMinLength, `A senha deve ter no mínimo ${passwordMinLength} caracteres`),
    z.maxLength(128, 'Use no máximo 128 caracteres'),
  );

const says = { error: GUESSABLE, path: ['password'] };

/** Checks a new password against the name and e-mail of the same form. */
export const notGuessable = z.refine<PasswordOwner & { password: string }>(
  ({ password, ...owner }) => !isGuessable(password, owner, passwordMinLength),
  says,
);

/** The same for a known owner. */
export const notGuessableOf = (owner: PasswordOwner) =>
  z.refine<{ password: string }>(({ password }) => !isGuessable(password, owner, passwordMinLength), says);

/** The e-mail of an existing account: only the server can check it. */
export const knownEmail = z.string().check(z.trim(), z.minLength(1, 'Informe seu e-mail'));

export const emailAddress = z.email('Informe um e-mail válido');

/** The address that signs in. */
export const EmailField = (props: TextInputProps) => (
  <TextInput label="E-mail" type="email" autoComplete="username" placeholder="voce@exemplo.com" {...props} />
);

/** The field for the current password. */
export const PasswordField = (props: PasswordInputProps) => (
  <PasswordInput
    label="Senha"
    autoComplete="current-password"
    visibilityToggleButtonProps={{ 'aria-label': 'Mostrar senha' }}
    {...props}
  />
);

/** The field for a new password, with its rule. */
export const NewPasswordField = (props: PasswordInputProps) => (
  <PasswordField
    description={`Pelo menos ${passwordMinLength} caracteres. Evite seu nome, seu e-mail e senhas comuns.`}
    inputWrapperOrder={['label', 'input', 'description', 'error']}
    autoComplete="new-password"
    {...props}
  />
);
