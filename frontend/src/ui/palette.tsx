import { Combobox, TextInput, useCombobox } from '@mantine/core';
import '@mantine/core/styles/Combobox.layer.css';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { Icon, type IconName } from './icon.js';
import classes from './palette.module.css';

export interface PaletteItem {
  /** Unique among the items. */
  id: string;
  lead: ReactNode;
  title: string;
  /** One line of facts. */
  facts?: string | undefined;
  /** Another choice, an icon at the end of the row. */
  also?: { id: string; label: string; icon: IconName } | undefined;
}

export interface PaletteGroup {
  label: string;
  items: readonly PaletteItem[];
}

interface PaletteProps {
  label: string;
  /** Short enough for the field on a phone. */
  value: string;
  onChange: (value: string) => void;
  /** Called once the field is ready for typing. */
  onFocus?: () => void;
  /** Groups without items are left out. */
  groups: readonly PaletteGroup[];
  /** Shown if there is nothing to choose. */
  empty: ReactNode;
  onChoose: (id: string) => void;
  onClose: () => void;
}

/** A search field above the list of its results; arrows and Enter, or a tap, choose one. */
export function Palette({ label, value, onChange, onFocus, groups, empty, onChoose, onClose }: PaletteProps) {
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose });
  const shown = groups.filter(({ items }) => items.length > 0);
  const ids = shown.flatMap(({ items }) => items.map(({ id }) => id)).join();
  /**
   * The option that Enter chooses before any arrow key: Mantine announces only options that were reached by arrow keys.
   */
  const [first, setFirst] = useState<string | null>(null);
  const beginAtTop = useEffectEvent(() => setFirst(ids ? combobox.selectFirstOption() : null));

  useEffect(() => {
    // The options must be in the document first.
    const timer = setTimeout(() => beginAtTop());
    return () => clearTimeout(timer);
  }, [ids]);

  return (
    <Combobox store={combobox} onOptionSubmit={onChoose}>
      <Combobox.EventsTarget withExpandedAttribute {...(first && { 'aria-activedescendant': first })}>
        <TextInput
          data-autofocus
          aria-label={label}
          placeholder="Digite para buscar"
          autoComplete="off"
          leftSection={<Icon name="search" size={18} />}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          {...(onFocus && { onFocus })}
          onKeyDown={({ key }) => {
            if (key === 'ArrowDown' || key === 'ArrowUp') setFirst(null);
          }}
        />
      </Combobox.EventsTarget>
      <div className={classes.results}>
        <Combobox.Options className={classes.options} aria-label={label}>
          {shown.map(({ label: name, items }) => (
            <Combobox.Group key={name} label={name} classNames={{ groupLabel: classes.group }}>
              {items.map(({ id, lead, title, facts, also }) => (
                <div key={id} role="presentation" className={classes.row}>
                  <Combobox.Option value={id} className={classes.option}>
                    <span className={classes.lead}>{lead}</span>
                    <span className={classes.text}>
                      <span className={classes.title}>{title}</span>
                      {facts && <span className={classes.facts}>{facts}</span>}
                    </span>
                  </Combobox.Option>
                  {also && (
                    <Combobox.Option value={also.id} aria-label={also.label} className={classes.also}>
                      <Icon name={also.icon} />
                    </Combobox.Option>
                  )}
                </div>
              ))}
            </Combobox.Group>
          ))}
        </Combobox.Options>
        <div role="status">{shown.length === 0 && empty}</div>
      </div>
    </Combobox>
  );
}
