import { describe, expect, it, jest } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState, type ComponentType } from 'react';
import { CpfField, DateTextField, MoneyField, TimeTextField } from './fields.js';
import { PhoneField } from './phone-field.js';

type Field = ComponentType<{ label: string; value?: string; onChange?: (value: string) => void }>;

/** A field in a form that holds its value, and a mock of all values that it held. */
function given(Field: Field, begins = '') {
  const held = jest.fn<(value: string) => void>();
  function Form() {
    const [value, setValue] = useState(begins);
    const change = (next: string) => {
      held(next);
      setValue(next);
    };
    return <Field label="Campo" value={value} onChange={change} />;
  }
  render(
    <MantineProvider env="test">
      <Form />
    </MantineProvider>,
  );
  const input = screen.getByLabelText<HTMLInputElement>('Campo');
  return { input, held: () => held.mock.lastCall?.[0], user: userEvent.setup() };
}

describe('a field with a format', () => {
  it('formats a phone number while it is typed', async () => {
    const { input, user } = given(PhoneField);
    await user.type(input, '11987654321');
    expect(input.value).toBe('(11) 98765-4321');
  });

  it.each([
    ['+551132654321', '(11) 3265-4321'],
    ['+5511987654321', '(11) 98765-4321'],
  ])('removes the country code of %s once the number is complete', async (typed, shown) => {
    const { input, held, user } = given(PhoneField);
    await user.type(input, typed);
    expect(held()).toBe(shown);
  });

  it('shows a number that was typed after 0xx alone once the field is left', async () => {
    const { input, held, user } = given(PhoneField);
    await user.type(input, '0xx11 97000-1001');
    await user.tab();
    expect(held()).toBe('(11) 97000-1001');
  });

  it('offers a mobile of eight digits with its nine once the field is left', async () => {
    const { input, held, user } = given(PhoneField);
    await user.type(input, '1187654321');
    const offer = { name: 'Faltou o 9? Usar (11) 98765-4321' };
    expect(screen.queryByRole('button', offer)).toBeNull();
    await user.tab();
    expect(held()).toBe('(11) 8765-4321');
    await user.click(screen.getByRole('button', offer));
    expect(held()).toBe('(11) 98765-4321');
    expect(screen.queryByRole('button', offer)).toBeNull();
  });

  it('shows the country that is typed after a plus, and puts the number in the one that is chosen', async () => {
    const { input, held, user } = given(PhoneField);
    await user.type(input, '+351912345678');
    expect(held()).toBe('+351 912 345 678');
    const country = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'País' });
    const shown = () => country.selectedOptions[0]?.textContent;
    expect(shown()).toBe('Portugal');
    await user.selectOptions(country, 'Canadá');
    expect(held()).toBe('+1 912 345 678');
    expect(shown()).toBe('Canadá');
    await user.selectOptions(country, 'Brasil');
    await user.type(input, '90');
    expect(held()).toBe('(91) 23456-7890');
  });

  it('opens the list of countries for a number that has none yet', async () => {
    const { held, user } = given(PhoneField, '(91) 2345-678');
    await user.click(screen.getByRole('button', { name: 'País: Brasil' }));
    const country = await screen.findByRole('combobox', { name: 'País' });
    expect(document.activeElement).toBe(country);
    await user.selectOptions(country, 'Portugal');
    expect(held()).toBe('+351 912 345 678');
  });

  it('keeps the cursor where a digit is inserted in the middle', async () => {
    const { input, user } = given(CpfField, '123.456.789-0');
    await user.click(input);
    input.setSelectionRange(1, 1);
    await user.keyboard('9');
    expect(input.value).toBe('192.345.678-90');
    expect(input.selectionStart).toBe(2);
  });

  it('undoes typing by Ctrl+Z, including separators', async () => {
    const { input, user } = given(CpfField);
    await user.type(input, '1234');
    expect(input.value).toBe('123.4');
    await user.keyboard('{Control>}z{/Control}');
    expect(input.value).toBe('123');
  });
});

describe('a date', () => {
  it('has the value YYYY-MM-DD once it is complete', async () => {
    const { input, held, user } = given(DateTextField);
    await user.type(input, '26112030');
    expect(held()).toBe('2030-11-26');
    expect(input.value).toBe('26/11/2030');
  });

  it('that does not exist keeps the typed text', async () => {
    const { held, user, input } = given(DateTextField);
    await user.type(input, '31022030');
    await user.tab();
    expect(held()).toBe('31/02/2030');
  });
});

describe('a time of day', () => {
  it('is completed when the field is left', async () => {
    const { input, held, user } = given(TimeTextField);
    await user.type(input, '7');
    await user.tab();
    expect(held()).toBe('07:00');
  });

  it('is changed by a quarter of an hour by the arrow keys, also over midnight', async () => {
    const { input, held, user } = given(TimeTextField, '23:50');
    await user.click(input);
    await user.keyboard('{ArrowUp}');
    expect(held()).toBe('00:05');
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(held()).toBe('23:35');
  });
});

describe('an amount', () => {
  it('is completed when the field is left', async () => {
    const { input, held, user } = given(MoneyField);
    await user.type(input, '1234,5');
    await user.tab();
    expect(held()).toBe('1.234,50');
  });
});
