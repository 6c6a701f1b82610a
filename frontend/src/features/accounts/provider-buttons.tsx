import { Button } from '@mantine/core';
import { useState } from 'react';
import { auth, isProviderConfigured } from '../../lib/auth.js';
import { toast } from '../../ui/toast.js';
import classes from './auth-page.module.css';
import { type Provider, providerMarks, providerNames, providers } from './providers.js';

interface ProviderButtonsProps {
  /** Path to which the provider returns. */
  backTo: string;
}

export function ProviderButtons({ backTo }: ProviderButtonsProps) {
  const [busy, setBusy] = useState<Provider | null>(null);

  const signIn = async (provider: Provider) => {
    setBusy(provider);
    try {
      if (await isProviderConfigured(provider)) {
        const { error } = await (
          await auth()
        ).signInWithOAuth({ provider, options: { redirectTo: location.origin + backTo } });
        if (error) throw error;
      } else {
        toast.error(`Login com ${providerNames[provider]} não está configurado. Use e-mail e senha.`);
      }
    } catch {
      toast.error('Não foi possível fazer login. Tente novamente.');
    }
    setBusy(null);
  };

  return (
    <>
      <div className={classes.divider}>ou continue com</div>
      <div className={classes.providers}>
        {providers.map((provider) => (
          <Button
            key={provider}
            variant="default"
            leftSection={providerMarks[provider]}
            loading={busy === provider}
            onClick={() => void signIn(provider)}
          >
            {providerNames[provider]}
          </Button>
        ))}
      </div>
    </>
  );
}
