import { Button } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../ui/icon.js';
import { Sheet, SheetActions } from '../ui/sheet.js';
import { attempt, toast } from '../ui/toast.js';

interface ReplaceLinkSheetProps {
  onReplace: () => Promise<unknown>;
  onClose: () => void;
}

/** Says, before a payment link is replaced, that whoever has it will not be able to pay by it; it cannot be brought back. */
export function ReplaceLinkSheet({ onReplace, onClose }: ReplaceLinkSheetProps) {
  const [isBusy, setBusy] = useState(false);
  const replace = async () => {
    setBusy(true);
    await attempt(async () => {
      await onReplace();
      toast.success('Link trocado', { description: 'O link anterior não abre mais.' });
    }, 'Erro ao trocar o link');
    onClose();
  };
  return (
    <Sheet opened onClose={onClose} title="Trocar link" withoutAddress middle>
      <p>
        Quem já tem o link não vai mais conseguir abri-lo, e não dá para voltar atrás. Depois, envie o novo.
      </p>
      <SheetActions onBack={onClose}>
        <Button loading={isBusy} onClick={() => void replace()} leftSection={<Icon name="renew" size={18} />}>
          Trocar link
        </Button>
      </SheetActions>
    </Sheet>
  );
}
