import type { Api } from './api.ts'
import type { WholeService } from './shapes.ts'

/** An offering with its schemas. `isOver`: the service has answered; without an offering it no longer exists, or was not reached. */
export type ServiceRead = { isOver: boolean; service?: WholeService }
export type Services = ReturnType<typeof createServices>

const unread: ServiceRead = { isOver: false }

export const createServices = (api: Pick<Api, 'get'>) => {
  const reading = new Map<string, Promise<ServiceRead>>()
  const read = new Map<string, ServiceRead>()
  return {
    known: (path: string): ServiceRead => read.get(path) ?? unread,
    read: (path: string): Promise<ServiceRead> => {
      const begun =
        reading.get(path) ??
        api.get<WholeService>(path).then(
          service => {
            read.set(path, { isOver: true, service })
            return { isOver: true, service }
          },
          () => {
            reading.delete(path)
            return { isOver: true }
          },
        )
      reading.set(path, begun)
      return begun
    },
  }
}
