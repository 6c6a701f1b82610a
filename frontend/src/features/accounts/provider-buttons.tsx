import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { auth } from '../../lib/auth.js';
import { configuredProviders } from '../../lib/configured-providers.js';
import { toast } from '../../ui/toast.js';
import classes from './auth-page.module.css';
import { type Provider, providerMarks, providerNames, providers } from './providers.js';

interface ProviderButtonsProps {
  /** Path to which the provider returns. */
  backTo: string;
}

/** Only providers for which the service has keys; while they are not known, e-mail and password sign in. */
export function ProviderButtons({ backTo }: ProviderButtonsProps) {
  const [busy, setBusy] = useState<Provider | null>(null);
  const [configured, setConfigured] = useState<readonly Provider[]>([]);
  useEffect(() => {
    configuredProviders()
      .then((known) => setConfigured(providers.filter((provider) => known.has(provider))))
      .catch(() => undefined);
  }, []);

  const signIn = async (provider: Provider) => {
    setBusy(provider);
    try {
      const options = { redirectTo: location.origin + backTo };
      const { error } = await (await auth()).signInWithOAuth({ provider, options });
      if (error) throw error;
    } catch {
      toast.error('Não foi possível fazer login. Tente novamente.');
    }
    setBusy(null);
  };

  if (configured.length === 0) return null;
  return (
    <>
      <div className={classes.divider}>ou continue com</div>
      <div className={classes.providers}>
        {configured.map((provider) => (
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
