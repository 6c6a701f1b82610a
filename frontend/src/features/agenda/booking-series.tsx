import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { NewBooking } from '../../../../backend/modules/agenda/groups.api.js';
import { whenReachable } from '../../lib/chunks.js';
import { useToday, useZone } from '../../lib/zone.js';
import { useLocationName } from '../../parts/location-choices.js';
import { useServiceChoices } from '../../parts/service-choices.js';
import { useTell } from '../../parts/use-tell.js';
import { Skeletons } from '../../ui/states.js';
import { recurrenceOf, RepetitionFields, repetitionErrors, type Repetition } from './repetition.js';
import type { SeriesStart, SeriesWish } from './series-preview.js';
import { seriesBookedMessage } from './session-message.js';

const SeriesPreviewPanel = lazy(() => whenReachable(() => import('./series-preview.js')));

interface BookingSeriesOptions {
  /** Text of the form's field for the day. */
  day: string;
  repetition: Repetition;
  onChange: (repetition: Repetition) => void;
  onDone: () => void;
}

interface BookingSeries {
  /** The booking repeats, so a preview is shown before it is sent. */
  repeats: boolean;
  fields: ReactNode;
  /** Shows the preview of the series instead of the form. */
  review: (booking: NewBooking) => void;
  /** Shown instead of the form while it is set. */
  panel: ReactNode;
}

/** The repetition of a booking, which the booking's form holds. */
export function useBookingSeries({ day, repetition, onChange, onDone }: BookingSeriesOptions): BookingSeries {
  const zone = useZone();
  const today = useToday();
  const tell = useTell();
  const locationName = useLocationName();
  const services = useServiceChoices();
  const [isChecked, setChecked] = useState(false);
  const [wish, setWish] = useState<SeriesWish | null>(null);
  const errors = isChecked ? repetitionErrors(repetition) : {};

  const review = ({
    student_ids,
    location_id = null,
    service_id = null,
    observacoes = null,
    ...times
  }: NewBooking) => {
    setChecked(true);
    if (Object.keys(repetitionErrors(repetition)).length > 0) return;
    const session = { location_id, service_id, observacoes };
    setWish({ student_ids, session, recurrence: recurrenceOf(repetition, times, zone) });
  };

  const tellOf = (start: SeriesStart, { student_ids, session: { location_id, service_id } }: SeriesWish) => {
    const location_nome = location_id ? locationName(location_id) : null;
    const servico = services.data?.items.find(({ id }) => id === service_id);
    return tell(student_ids, (name) =>
      seriesBookedMessage({ ...start, location_nome, servico }, name, { today, zone }),
    );
  };

  return {
    repeats: repetition.every !== '0',
    fields: <RepetitionFields day={day} value={repetition} errors={errors} onChange={onChange} />,
    review,
    panel: wish && (
      <Suspense fallback={<Skeletons count={3} height={72} />}>
        <SeriesPreviewPanel
          wish={wish}
          tell={(start) => tellOf(start, wish)}
          onBack={() => setWish(null)}
          onDone={onDone}
        />
      </Suspense>
    ),
  };
}
