import { Button, type ButtonProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Price } from '../../../backend/modules/audit/price.api.js';
import { reads } from '../lib/topics.js';
import { Icon } from '../ui/icon.js';
import { Sheet, SheetActions } from '../ui/sheet.js';
import { Async, Skeletons } from '../ui/states.js';
import { ToldBox } from '../ui/told-box.js';
import classes from './undo-sheet.module.css';

const PRICE = reads('undo-price', 'all');

interface Undoing {
  /** "Desfazer pagamento": the title, and the button. */
  what: string;
  /** What is undone, by its id. */
  of: string;
  price: (signal: AbortSignal) => Promise<Price>;
  /** While it is undone, its price is not asked for: what is undone already has none. */
  isBusy?: boolean;
}

interface UndoSheetProps extends Omit<Undoing, 'isBusy'> {
  onUndo: () => Promise<unknown>;
  onClose: () => void;
}

const usePrice = ({ what, of, price, isBusy = false }: Undoing) =>
  useQuery({
    queryKey: [PRICE, what, of],
    queryFn: ({ signal }) => price(signal),
    enabled: !isBusy,
    gcTime: 0,
  });

/** Says what an undo moves besides, before it is tapped. What is refused cannot be tapped. */
export function UndoSheet({ onUndo, onClose, ...undoing }: UndoSheetProps) {
  const [isBusy, setBusy] = useState(false);
  const { isSuccess } = usePrice({ ...undoing, isBusy });
  const undo = async () => {
    setBusy(true);
    await onUndo();
    onClose();
  };
  return (
    <Sheet opened onClose={onClose} title={undoing.what} withoutAddress middle>
      <UndoPrice {...undoing} isBusy={isBusy} />
      <SheetActions onBack={onClose}>
        <Button
          loading={isBusy}
          disabled={!isSuccess}
          onClick={() => void undo()}
          leftSection={<Icon name="undo" size={18} />}
        >
          {undoing.what}
        </Button>
      </SheetActions>
    </Sheet>
  );
}

/** The effects of an undo, in a list. */
export function UndoPrice(undoing: Undoing) {
  return (
    <Async
      of={usePrice(undoing)}
      skeleton={<Skeletons count={2} height={24} />}
      failure="Não dá para fazer isso agora"
    >
      {({ efeitos }) => (
        <ToldBox>
          {efeitos.length === 0 ? (
            <p>Nada mais muda com isso.</p>
          ) : (
            <ul className={classes.effects}>
              {efeitos.map((effect) => (
                <li key={effect}>{effect.charAt(0).toUpperCase() + effect.slice(1)}</li>
              ))}
            </ul>
          )}
        </ToldBox>
      )}
    </Async>
  );
}

type UndoButtonProps = ButtonProps & Omit<UndoSheetProps, 'onClose'>;

/** A button that opens the sheet. */
export function UndoButton({ what, of, price, onUndo, ...button }: UndoButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button leftSection={<Icon name="undo" size={18} />} onClick={() => setOpen(true)} {...button}>
        {what}
      </Button>
      {isOpen && (
        <UndoSheet what={what} of={of} price={price} onUndo={onUndo} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
