import { Button } from '@mantine/core';
import { useState } from 'react';
import { completePhone, maskPhone, phoneWithNine } from '../lib/phone-mask.js';
import { type FieldProps, MaskedField } from './fields.js';

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
