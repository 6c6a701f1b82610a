import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { attempt } from '../../ui/toast.js';
import { canUsePasskeys } from './can-use-passkeys.js';
import { beginProof, proveWithPasskey, signInWithPasskey, suggestPasskeys } from './passkeys.js';

/** Signs in with a passkey, which the browser also suggests in the e-mail field. */
export function PasskeySignIn() {
  const [busy, setBusy] = useState(false);
  useEffect(() => suggestPasskeys(), []);

  const signIn = async () => {
    setBusy(true);
    await attempt(signInWithPasskey, 'Erro ao fazer login. Tente novamente.');
    setBusy(false);
  };
  return (
    <Button variant="default" loading={busy} onClick={() => void signIn()}>
      Entrar com chave de acesso
    </Button>
  );
}

interface PasskeyProofProps {
  onProved: () => unknown;
}

/** A passkey in place of a code or a password, for a person who has one. */
export function PasskeyProof({ onProved }: PasskeyProofProps) {
  const [busy, setBusy] = useState(false);
  const [isThere, setThere] = useState(false);
  // Without a query: the sign-in page has no client for these.
  useEffect(() => {
    if (!canUsePasskeys) return;
    beginProof()
      .then(() => setThere(true))
      .catch(() => undefined);
  }, []);
  if (!isThere) return null;

  const prove = async () => {
    setBusy(true);
    await attempt(async () => {
      if (await proveWithPasskey()) await onProved();
    }, 'Erro ao usar a chave de acesso');
    setBusy(false);
  };
  return (
    <Button variant="default" loading={busy} onClick={() => void prove()}>
      Usar chave de acesso
    </Button>
  );
}
