/** Inputs: a choice, a number, a date and a checkbox. */
export const room = {
  ...{ id: 'room', name: 'Book a hotel room', description: 'Books a hotel room by the sea.', price: '0.20', slaMinutes: 5 },
  requirement: {
    type: 'object',
    required: ['board', 'nights', 'arrival', 'balcony'],
    properties: {
      board: { type: 'string', enum: ['breakfast', 'half board'], description: 'Meals' },
      nights: { type: 'integer', minimum: 1, maximum: 30, description: 'How many nights' },
      arrival: { type: 'string', format: 'date', description: 'The day you arrive' },
      balcony: { type: 'boolean', description: 'With a balcony' },
    },
  },
}
/** Its deliverable must be JSON with an area. */
export const survey = {
  ...{ id: 'survey', name: 'Survey a garden plot', description: 'Measures a garden plot.', price: '0.30', slaMinutes: 5 },
  deliverable: { type: 'object', required: ['area'], properties: { area: { type: 'number' } } },
}
