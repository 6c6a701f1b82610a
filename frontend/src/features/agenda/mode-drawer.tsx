import { Button } from '@mantine/core';
import { startTransition, useState } from 'react';
import { Icon } from '../../ui/icon.js';
import { Sheet } from '../../ui/sheet.js';
import classes from './mode-drawer.module.css';
import { modes, modeWords, type Mode } from './place.js';

interface ModeDrawerProps {
  mode: Mode;
  onMode: (mode: Mode) => void;
}

/** Chooses the mode on the phone: a button with the current mode opens a drawer. */
export function ModeDrawer({ mode, onMode }: ModeDrawerProps) {
  const [opened, setOpened] = useState(false);
  const { label } = modeWords[mode];
  return (
    <>
      <Button
        variant="default"
        aria-label={`Visualização: ${label}`}
        aria-haspopup="dialog"
        rightSection={<Icon name="down" size={18} />}
        // The tap is painted before the drawer is rendered.
        onClick={() => startTransition(() => setOpened(true))}
      >
        {label}
      </Button>
      <Sheet opened={opened} onClose={() => setOpened(false)} title="Visualização" fromLeft withoutAddress>
        <div className={classes.modes}>
          {modes.map((each) => (
            <button
              key={each}
              type="button"
              className={classes.mode}
              aria-pressed={each === mode}
              onClick={() => {
                setOpened(false);
                if (each !== mode) onMode(each);
              }}
            >
              {modeWords[each].label}
              {each === mode && <Icon name="check" />}
            </button>
          ))}
        </div>
      </Sheet>
    </>
  );
}
