import { Button, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { completePhone, maskPhone, phoneCode, phoneWithNine, withPhoneCode } from '../lib/phone-mask.js';
import { loadPhonesAbroad, type PhonesAbroad } from '../lib/phones-abroad.js';
import { type FieldProps, MaskedField } from './fields.js';
import { Icon } from './icon.js';
import classes from './phone-field.module.css';
import { toast } from './toast.js';

/** A phone. When the field is left, a mobile with eight digits is offered with the nine before them. */
export function PhoneField(props: FieldProps) {
  const [isLeft, setLeft] = useState(false);
  const meant = isLeft ? phoneWithNine(props.value ?? '') : null;
  return (
    <MaskedField
      mask={maskPhone}
      complete={completePhone}
      type="tel"
      inputMode="tel"
      placeholder="(11) 99999-9999"
      rightSectionWidth="clamp(100px, 54vw - 70px, 142px)"
      rightSection={<CountryChoice {...props} />}
      {...props}
      {...(meant && {
        description: (
          <Button size="sm" variant="subtle" onClick={() => props.onChange?.(meant)}>
            Faltou o 9? Usar {meant}
          </Button>
        ),
        inputWrapperOrder: ['label', 'input', 'description', 'error'],
      })}
      onFocus={(event) => {
        setLeft(false);
        props.onFocus?.(event);
      }}
      onBlur={(event) => {
        setLeft(true);
        props.onBlur?.(event);
      }}
    />
  );
}

/** The country of a phone. The list of all is loaded once another one is typed, or looked for. */
function CountryChoice({ value = '', onChange }: FieldProps) {
  const [phones, setPhones] = useState<PhonesAbroad | null>(null);
  const [chosen, setChosen] = useState('');
  const [isOpening, setOpening] = useState(false);
  const list = useRef<HTMLSelectElement>(null);
  const code = phoneCode(value);
  const isAbroad = code !== '55';

  useEffect(() => {
    // Without a network, what was typed is taken, and the server says what is wrong.
    if (isAbroad) loadPhonesAbroad().then(setPhones, () => undefined);
  }, [isAbroad]);

  useEffect(() => {
    if (!isOpening || !phones) return;
    list.current?.focus();
    try {
      list.current?.showPicker();
    } catch {
      // Older browsers open it with a second tap, as all do if the list took long.
    }
  }, [isOpening, phones]);

  const open = async () => {
    setOpening(true);
    try {
      setPhones(await loadPhonesAbroad());
    } catch {
      setOpening(false);
      toast.error('Erro ao abrir a lista de países', {
        description: 'Verifique a internet e tente de novo.',
      });
    }
  };

  const choose = (next: string) => {
    setChosen(next);
    if (codeOf(next) !== code) onChange?.(withPhoneCode(value, codeOf(next)));
  };

  return (
    <div className={classes.country}>
      {phones ? (
        <select
          ref={list}
          className={classes.choice}
          aria-label="País"
          value={phones.phoneCountryOf(value) ?? (codeOf(chosen) === code ? chosen : code)}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {phones.phoneCountries.map(({ value: country, name }) => (
            <option key={country} value={country}>
              {name}
            </option>
          ))}
        </select>
      ) : (
        <button type="button" className={classes.choice} onClick={() => void open()}>
          <VisuallyHidden>País: </VisuallyHidden>
          {isAbroad ? `+${code}` : 'Brasil'}
        </button>
      )}
      <Icon name="down" size={16} />
    </div>
  );
}

/** Several countries have the same calling code: `44`, `44GG`. */
const codeOf = (country: string) => String(parseInt(country, 10));
