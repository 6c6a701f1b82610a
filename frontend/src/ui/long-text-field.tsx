import { Textarea, type TextareaProps } from '@mantine/core';
import { startTransition, useState } from 'react';

type LongTextFieldProps = Omit<TextareaProps, 'value' | 'onChange' | 'autosize'> & {
  value?: string;
  onChange?: (value: string) => void;
};

/** A text of several lines. It shows each letter at once, and then passes it to the form, which is slower to render. */
export function LongTextField({ value = '', onChange, ...props }: LongTextFieldProps) {
  const [typed, setTyped] = useState(value);
  const [told, setTold] = useState(value);
  // The value was changed from outside: by a draft, or by a reset of the form.
  if (value !== told) {
    setTold(value);
    setTyped(value);
  }
  return (
    <Textarea
      autosize
      minRows={2}
      maxRows={6}
      {...props}
      value={typed}
      onChange={({ currentTarget }) => {
        const text = currentTarget.value;
        setTyped(text);
        startTransition(() => {
          setTold(text);
          onChange?.(text);
        });
      }}
    />
  );
}
