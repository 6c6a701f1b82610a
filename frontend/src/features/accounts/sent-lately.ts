import { toast } from '../../ui/toast.js';

/** No further mail can be sent for now. The code and link of the newest one stay valid until then. */
export const sentLately = (): void => {
  toast.info('Já enviamos um e-mail há pouco', { description: 'Use o link ou o código do mais recente.' });
};
