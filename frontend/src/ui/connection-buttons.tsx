import { Button } from '@mantine/core';
import classes from './connection-buttons.module.css';
import { Icon } from './icon.js';
import { attempt, takenBack, toast } from './toast.js';

interface Sending {
  isPending: boolean;
  mutateAsync: () => Promise<unknown>;
}

interface ConnectionButtonsProps {
  /** Tries the connection again: texts of the button and its toasts. */
  renew: { by: Sending; label: string; done: string; failure: string };
  /** Disconnects, with "Desfazer": text of its toast, and the consequences. */
  removal: { by: Sending; undoneBy: Sending; done: string; effect: string };
}

/** The buttons for a connected external service. */
export function ConnectionButtons({ renew, removal }: ConnectionButtonsProps) {
  const reach = () =>
    attempt(async () => {
      await renew.by.mutateAsync();
      toast.success(renew.done);
    }, renew.failure);
  const disconnect = () =>
    attempt(async () => {
      await removal.by.mutateAsync();
      toast.success(removal.done, {
        description: removal.effect,
        ...takenBack(() => removal.undoneBy.mutateAsync(), 'Desconexão desfeita'),
      });
    }, 'Erro ao desconectar');
  return (
    <div className={classes.buttons}>
      <Button
        variant="default"
        loading={renew.by.isPending}
        onClick={() => void reach()}
        leftSection={<Icon name="renew" size={18} />}
      >
        {renew.label}
      </Button>
      <Button variant="default" loading={removal.by.isPending} onClick={() => void disconnect()}>
        Desconectar
      </Button>
    </div>
  );
}
